"""`python -m gist.cli` is the command `gist`."""

from __future__ import annotations

import sys

from gist.cli import main

sys.exit(main())
