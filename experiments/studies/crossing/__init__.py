"""Does the gain from handling crossing arcs depend on technique, parser and number of crossing arcs?"""
