"""The HTML page of `chcfuzz dashboard`. It needs the packages of the extra `dashboard`.

The room promises that a page needs no network, only Plotly in a file beside it or inside, and that a text of a finding
cannot become markup: Jinja escapes it, figures are JSON that cannot close its tag, and a content security policy
forbids the rest (`rendering`). `serving` answers on this machine only, and refuses requests with the name of another
host.

`campaign_data` reads run folders and computes all numbers; `page` and `comparison_page` place them; `curve_figures`,
`bar_figures` and `graph` make Plotly's figures from numbers, with colours as names of variables (`figure`).

Forbidden here: reading files in a figure, and a number that a figure computes and no text or JSON has. To add a figure,
add its numbers to `campaign_data`, its function to a module of figures, and its place to `page.html`.

Odd on purpose: the page comes from the files alone, so that a run folder from another machine, or of a killed campaign,
shows the same page as that of a running one.
"""
