"""A drawing for print keeps its ink with fewer elements."""

from reports.figures.printed import printed

DOT = 'd="M1.41,0A1.41,1.41,0,1,1,-1.41,0A1.41,1.41,0,1,1,1.41,0" fill="{}" stroke-width="2" opacity="{}"/>'


def dot(x: float, y: float, colour: str = "#161616", opacity: float = 1) -> str:
    label = f' aria-label="run at {x:g}" role="img"'
    return f'<path{label} transform="translate({x:g},{y:g})" ' + DOT.format(colour, f"{opacity:g}")


def test_dots_of_one_look_become_round_ends_of_one_path() -> None:
    assert printed(f"<g>{dot(1, 2)}{dot(3.5, -4)}{dot(5, 6, 'red')}</g>") == (
        '<g><path d="M1,2h0M3.5,-4h0" stroke="#161616" stroke-width="2.82" stroke-linecap="round"/>'
        '<path d="M5,6h0" stroke="red" stroke-width="2.82" stroke-linecap="round"/></g>'
    )


def test_marks_that_show_what_is_below_them_stay_apart() -> None:
    faint = dot(1, 2, opacity=0.5) + dot(1, 3, opacity=0.5)
    assert printed(faint) == faint.replace(' aria-label="run at 1" role="img"', "")


def test_lines_of_one_look_become_one_path() -> None:
    grid = '<line transform="translate({},0)" x2="0" y2="-84.28" stroke="{}" stroke-width="1" opacity="1"/>'
    assert printed(grid.format(60, "#ddd") + grid.format(121, "#ddd") + grid.format(9, "red")) == (
        '<path d="M60,0l0,-84.28M121,0l0,-84.28" stroke="#ddd" stroke-width="1"/>'
        '<path d="M9,0l0,-84.28" stroke="red" stroke-width="1"/>'
    )


def test_frames_that_draw_nothing_are_left_out() -> None:
    frame = '<path class="background" aria-hidden="true" d="M0,0h9v9h-9Z"{}/>'
    unseen = '<path class="foreground" aria-hidden="true" d="" pointer-events="none" display="none"/>'
    filled = frame.format(' fill="white"')
    assert printed(f"<g>{frame.format('')}{unseen}{filled}</g>") == (
        '<g><path class="background" d="M0,0h9v9h-9Z" fill="white"/></g>'
    )
