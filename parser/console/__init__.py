"""What all commands share in speaking to people: the command line, help, options, progress, output."""
