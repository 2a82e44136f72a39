"""What values may be: parameters of learners and transforms, shapes of what files hold."""
