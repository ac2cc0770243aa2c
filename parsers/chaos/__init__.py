"""Tools that inject faults on purpose: what they did to the service, and what their clients saw of it."""
