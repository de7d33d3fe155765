"""What is drawn to."""


class Target:
    """What is drawn to: color views and an optional depth view."""

    def __init__(self, width, height, samples=1):
        self.width, self.height, self.samples = width, height, samples
        self.colors = []  # (textures.Texture, mip, layer, number of the view)
        self.depth = None

    def attach(self, script, texture, mip, layer):
        """Adds a color target."""
        view = script.object()
        script.line("view", view, texture.object, "2d", mip, 1, layer, 1, "color", "====")
        self.colors.append((texture, mip, layer, view))
