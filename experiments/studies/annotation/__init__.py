"""Study: confidence, kept arcs, partial trees and suspects."""
