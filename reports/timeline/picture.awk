# A picture of a trace that 'collsim run --trace FILE.json' has written, as SVG:
#
#     LC_ALL=C awk -f reports/timeline/picture.awk trace.json >trace.svg
#
# Each thread is a row with its sends and receives, arrows lead from a send to its
# receive, and the first links have their use against time, as ui.perfetto.dev shows
# them.  The trace has one event per line.  -v links=N draws more or fewer links.

function field(name,    rest) {
    rest = substr($0, index($0, "\"" name "\":") + length(name) + 3)
    return index($0, "\"" name "\":") ? rest + 0 : 0
}

function word(name,    rest) {
    rest = substr($0, index($0, "\"" name "\":\"") + length(name) + 4)
    return substr(rest, 1, index(rest, "\"") - 1)
}

# The name in the arguments of an event of meta data.
function argument(    rest) {
    rest = substr($0, index($0, "\"args\":{\"name\":\"") + 16)
    return substr(rest, 1, index(rest, "\"") - 1)
}

function escaped(text) {
    gsub(/&/, "\\&amp;", text)
    gsub(/</, "\\&lt;", text)
    return text
}

BEGIN {
    # Numbers are read by the locale, too.
    if (sprintf("%.1f", 1.5) != "1.5") {
        print "picture.awk: this locale has a decimal comma; type: LC_ALL=C awk -f ..." >"/dev/stderr"
        exit wrong = 2
    }
    if (!links)
        links = 6
    left = 250
    width = 980
    step = 20
    height = 14
}

/"ph":"M"/ && /process_name/ {
    process[field("pid")] = argument()
}

/"ph":"M"/ && /thread_name/ {
    key = field("pid") "," field("tid")
    thread[key] = argument()
    row[rows++] = key
}

/"ph":"X"/ {
    slice[slices++] = field("pid") "," field("tid") " " field("ts") " " \
                      field("dur") " " word("cat")
    if (field("ts") + field("dur") > last)
        last = field("ts") + field("dur")
}

/"ph":"s"/ {
    from[field("id")] = field("pid") "," field("tid") " " field("ts")
}

/"ph":"f"/ {
    to[field("id")] = field("pid") "," field("tid") " " field("ts")
    arrow[arrows++] = field("id")
}

/"ph":"C"/ {
    name = word("name")
    if (!(name in counts))
        counter[counters++] = name
    at[name, counts[name] + 0] = field("ts")
    value[name, counts[name]++] = field("GB/s")
    if (field("GB/s") > most[name])
        most[name] = field("GB/s")
}

function place(time) {
    return left + (time < last ? time / last : 1) * (width - left - 10)
}

function words(x, y, anchor, text) {
    printf "<text x=\"%.1f\" y=\"%.1f\"%s>%s</text>\n", x, y,
           anchor == "" ? "" : " text-anchor=\"" anchor "\"", escaped(text)
}

# Use of a link as a stepped area.
function draw_counter(name, y,    i, x, top) {
    printf "<path class=\"use\" d=\"M%.1f %.1f", place(at[name, 0]), y + height
    for (i = 0; i < counts[name]; ++i) {
        x = place(i + 1 < counts[name] ? at[name, i + 1] : last)
        top = y + height * (1 - value[name, i] / most[name])
        printf "V%.1fH%.1f", top, x
    }
    printf "V%.1fZ\"/>\n", y + height
}

END {
    if (wrong)
        exit wrong
    drawn = counters < links ? counters : links
    y = 40
    owner = ""
    for (r = 0; r < rows; ++r) {
        split(row[r], part, ",")
        if (part[1] != owner)
            y += step
        owner = part[1]
        top_of[row[r]] = y
        y += step
    }
    links_top = y + step
    bottom = links_top + step * drawn + (counters > drawn ? step : 0) + 6
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\">\n",
           width, bottom + 30
    print "<title>A trace: messages of each rank and use of links</title>"
    print "<style>rect.page{fill:#fff}text{font:12px sans-serif;fill:#222}" \
          ".send{fill:#0072b2}.receive{fill:#e69f00}.use{fill:#009e73}" \
          ".flow{stroke:#555;stroke-width:.8;opacity:.55}" \
          ".row{stroke:#e3e3e3}</style>"
    printf "<rect class=\"page\" width=\"%d\" height=\"%d\"/>\n", width, bottom + 30
    printf "<rect class=\"send\" x=\"%d\" y=\"10\" width=\"14\" height=\"14\"/>\n", left
    words(left + 20, 22, "", "sends")
    printf "<rect class=\"receive\" x=\"%d\" y=\"10\" width=\"14\" height=\"14\"/>\n",
           left + 80
    words(left + 100, 22, "", "receives")
    printf "<rect class=\"use\" x=\"%d\" y=\"10\" width=\"14\" height=\"14\"/>\n", left + 180
    words(left + 200, 22, "", "use of a link; lines lead from a send to its receive")
    owner = ""
    for (r = 0; r < rows; ++r) {
        split(row[r], part, ",")
        if (part[1] != owner)
            words(4, top_of[row[r]] - 6, "", process[part[1]])
        owner = part[1]
        words(left - 8, top_of[row[r]] + 11, "end", thread[row[r]])
        printf "<path class=\"row\" d=\"M%d %.1fH%d\"/>\n", left,
               top_of[row[r]] + height + 3, width - 10
    }
    for (s = 0; s < slices; ++s) {
        split(slice[s], part, " ")
        printf "<rect class=\"%s\" x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"%d\"/>\n",
               part[4], place(part[2]), top_of[part[1]],
               place(part[2] + part[3]) - place(part[2]) - 0.6, height
    }
    for (a = 0; a < arrows; ++a) {
        split(from[arrow[a]], begin, " ")
        split(to[arrow[a]], end, " ")
        printf "<path class=\"flow\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n", place(begin[2]),
               top_of[begin[1]] + height / 2, place(end[2]), top_of[end[1]] + height / 2
    }
    words(4, links_top - 6, "", "links")
    for (c = 0; c < drawn; ++c) {
        words(left - 8, links_top + step * c + 11, "end", counter[c])
        draw_counter(counter[c], links_top + step * c)
    }
    if (counters > drawn)
        words(left - 8, links_top + step * drawn + 11, "end",
              (counters - drawn) " more links")
    for (t = 0; t <= 4; ++t)
        words(place(last * t / 4), bottom + 18, t == 4 ? "end" : t ? "middle" : "",
              sprintf("%.1f us", last * t / 4))
    print "</svg>"
}
