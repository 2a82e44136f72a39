"""Study: confidence, kept arcs and suspects."""
