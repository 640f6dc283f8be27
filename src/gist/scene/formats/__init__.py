"""File formats of scene graphs: Gist's JSON, the task set's JSON, Armeni's `.npz`."""
