"""Tools in the shapes that providers define and train their models on."""
