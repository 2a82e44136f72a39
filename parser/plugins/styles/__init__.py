"""Transforms between annotation styles of coordination and of verb groups."""

TRANSFORMS = {"coordination": "coordination:Coordination", "verb-groups": "verb_groups:VerbGroups"}
