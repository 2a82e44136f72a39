"""Transforms between annotation styles of coordination and of verb groups."""

READ_FIRST = "profile.py, coordination.py"
TRANSFORMS = {"coordination": "coordination:Coordination", "verb-groups": "verb_groups:VerbGroups"}
