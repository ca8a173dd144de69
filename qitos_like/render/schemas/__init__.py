"""JSON Schemas as providers take them: strict forms, subsets, and what each of them costs."""
