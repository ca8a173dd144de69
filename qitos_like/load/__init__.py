"""Ring 3: from what people name, such as modules, files and toolsets, to registries."""
