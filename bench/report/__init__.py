"""Tables for the terminal, one page for the browser, the README's table: all from result lines."""
