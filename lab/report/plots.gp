# Plots of the laboratory: draws PNG files from the CSV files of this folder:  gnuplot plots.gp  The script loads itself
# once for every plot, with variables that describe the plot. Columns are addressed by name. `tables` may be set to draw
# from some of the files only.
if (!exists("id")) {
    set print "-"
    set encoding utf8
    set for [i=1:8] linetype i lw 2 pt i+3 lc rgb \
        word("#0072b2 #d55e00 #009e73 #cc79a7 #e69f00 #56b4e9 #555555 #000000", i)
    set linetype cycle 8

    # gnuplot cannot read commas within quotes, so the commas between cells become tabs and quotes are removed.
    csv(table) = "< sed -E ':a; s/^(([^\"]*\"[^\"]*\")*[^\"]*\"[^\",]*),/\\1\\v/; ta; ". \
        "s/,/\\t/g; s/\\v/,/g; s/\"//g; s/\\r$//' ".table.".csv"
    if (!exists("tables")) { tables = system("ls *.csv | sed 's/[.]csv$//' | tr '\\n' ' '") }
    there(table) = strstrt(" ".tables." ", " ".table." ") > 0

    # Distinct texts in order of appearance, as quoted words, which gnuplot's word() understands.
    add(text) = (strstrt(list, '"'.text.'"') ? 0 : (list = list.'"'.text.'" ', 0))
    place(list, text) = words(list[1:strstrt(list, '"'.text.'"') - 1])

    programs = 'strcol("program")'
    with_threads = 'strcol("program").(strlen(strcol("threads")) ? sprintf(", threads: %s", strcol("threads")) : "")'
    with_size = 'sprintf("%s, RES %s", strcol("program"), strcol("resolution"))'
    log_x = ""
    log_y = "y"
    keep = "1"

    # Draws a table as a plot with a name and a title; `column` is y.
    draw(t, i, what, column) = sprintf('table = "%s"; id = "%s"; title = "%s"; y = "%s"; load "plots.gp"', t, i, what, column)
    ratio = "the reference's time, % of this"

    kind = "lines"; values = "1"; value = "column(y)"
    x = "side, px"; log_x = "x"; names = with_threads
    keep = 'strcol("program") eq "plain" || (strcol("rows drawn") eq "half" && strcol("shortcuts") eq "all")'
    eval draw("classic-compute", "classic", "Seed 000's picture, computing", "compute, ms")

    x = "threads"; log_x = "x"; names = with_size; keep = "1"
    eval draw("paper-03", "paper-figure-02", "Figure 2: time by threads", "time, ms")
    eval draw("paper-10", "paper-figure-11", "Figure 11: time by threads, vectors", "time, ms")
    log_y = ""
    eval draw("paper-03", "paper-figure-03", "Figure 3: speedup by threads", "speedup")
    eval draw("paper-03", "paper-figure-04", "Figure 4: efficiency by threads", "efficiency")
    eval draw("paper-10", "paper-figure-12", "Figure 12: speedup by threads, vectors", "speedup")
    eval draw("paper-10", "paper-figure-13", "Figure 13: efficiency by threads, vectors", "efficiency")
    log_y = "y"
    eval draw("paper-09", "paper-figure-10", "Figure 10: the reference's time in % of others', by threads", ratio)
    keep = 'column("resolution") == largest'
    eval draw("paper-08", "paper-figure-09", "Figure 9: time without and with vectors by threads", "time, ms")

    x = "resolution"; log_x = ""; names = programs; keep = 'column("threads") == 1'
    eval draw("paper-04", "paper-figure-05", "Figure 5: float and double, one thread", "time, ms")
    eval draw("paper-07", "paper-figure-08", "Figure 8: programs with one thread", "time, ms")
    eval draw("paper-06", "paper-figure-07", "Figure 7: the reference's time in % of others', one thread", ratio)
    names = 'strcol("program").(strlen(strcol("threads x")) ? sprintf(", %sx%s", strcol("threads x"), strcol("threads y")) : "")'
    keep = 'strcol("threads x") eq strcol("threads y")'
    eval draw("paper-13", "paper-figure-15", "Figure 15: kernels by square blocks", "kernel, ms")

    kind = "blocks"; keep = "1"
    value = 'strcol("resolution") eq size && strcol("program") eq "listing 7, blocks" ? column("kernel, ms") : NaN'
    do for [size in "20 500 1000 1500 2000"] {
        eval draw("paper-13", "paper-figure-16-".size, "Figure 16: listing 7's kernel by block, ms, RES ".size, "kernel, ms")
    }

    kind = "bars"
    keep = 'strcol("device") ne "avx2" || narrow'
    names = 'sprintf("%s: %s, %s", strcol("program"), strcol("drawing"), strcol("device"))'
    values = "float double fixed"; value = 'strcol("numbers") eq v ? column("time, ms") : NaN'
    do for [view in "whole-set escape-dense"] {
        eval draw("modes-".view, "modes-".view, "Seed 002's modes and ours: ".view, "time, ms")
    }
    keep = "1"; names = with_threads
    values = '"here" "the seed on its machine"'
    value = 'column(v eq "here" ? "million pixels/s" : "the seed'."'".'s million pixels/s, on its machine")'
    eval draw("hybridizer-cpu", "hybridizer-cpu", "Seed 004's picture on the CPU", "million pixels per second")
    names = programs
    values = '"kernel" "with the copy" "the seed on its machine"'
    value = 'column(v eq "kernel" ? "million pixels/s" : v eq "with the copy" ? "million pixels/s, with the copy" : '. \
        '"the seed'."'".'s million pixels/s, on its machine")'
    eval draw("hybridizer-gpu", "hybridizer-gpu", "Seed 004's picture on the GPU", "million pixels per second")

    kind = "roofline"; names = programs; values = "1"; value = 'column("billion operations/s")'
    do for [device in "cpu gpu"] {
        eval draw("roofline-".device, "roofline-".device, "Operations per byte under the ceilings: ".device, y)
    }
} else { if (there(table)) {
    reset
    set datafile separator tab
    set datafile columnheaders
    set style fill solid 1 noborder
    set tics nomirror
    set border 3
    set title title offset 0,0.3
    set datafile missing NaN
    set key tmargin left vertical Left reverse maxrows 5
    list = ""
    narrow = system("grep -c '\"avx512\"' ".table.".csv") == 0
    if (strstrt(keep, "largest")) {
        stats csv(table) using "resolution" nooutput
        largest = STATS_max
    }
    low = 1e300
    least(number) = (number > 0 && number < low ? (low = number, 0) : 0)
    set yrange [0:1]
    set table $unused
    eval sprintf("plot csv(table) using (%s ? add(%s) : 0)", keep, names)
    do for [v in values] { eval sprintf("plot csv(table) using (%s ? least(%s) : 0)", keep, value) }
    unset table
    rows = words(list)
    set yrange [*:*]
    drawn = low < 1e300 ? kind : "nothing" # there are no numbers
    if (drawn ne "nothing") {
        height = kind eq "bars" ? 150 + 10 * (1 + words(values)) * rows : 460
        set terminal pngcairo noenhanced font "sans,10" size 760, height
        set output id.".png"
        print id."\t".title
    }

    if (drawn eq "lines") {
        set xlabel x
        set ylabel y
        if (log_x eq "x") { set logscale x 2 }
        if (log_y eq "y") { set logscale y } else { set yrange [0:*] }
        set format y "%g"
        set offsets graph 0.02, graph 0.02
        eval sprintf("plot for [s in list] csv(table) using x:((%s) && (%s) eq s ? column(y) : NaN) smooth unique ". \
            "with linespoints title s", keep, names)
    }
    if (drawn eq "bars") {
        set xlabel y
        set logscale x
        set format x "%g"
        set yrange [rows - 0.4:-0.6]
        set ytics scale 0 ()
        do for [i=1:rows] { set ytics add (word(list, i) i - 1) }
        low = 10 ** floor(log10(low) - 0.3)
        set xrange [low:*]
        high(k) = (k + 0.8) / (words(values) + 0.6) - 0.5
        eval sprintf("plot for [k=0:words(values)-1] v = word(values, k + 1) csv(table) using ". \
            "(low):(i = place(list, %s)):(low):(%s ? %s : NaN):(i + high(k) - 0.8 / (words(values) + 0.6)):(i + high(k)) ". \
            "with boxxyerror title v", names, keep, value)
    }
    if (drawn eq "blocks") {
        set xlabel "threads x"
        set ylabel "threads y"
        set logscale xy 2
        set logscale cb
        unset key
        set palette defined (0 "#ffffff", 1 "#56b4e9", 2 "#0072b2")
        mine(number) = strcol("resolution") eq size && strcol("program") eq "listing 7, blocks" ? number : NaN
        plot csv(table) using (mine(column(3))):4:(column(3) / sqrt(2)):(column(3) * sqrt(2)): \
                (column(4) / sqrt(2)):(column(4) * sqrt(2)):5 with boxxyerror lc palette, \
            csv(table) using (mine(column(3))):4:(sprintf("%.3g", column(5))) with labels
    }
    if (drawn eq "roofline") {
        stats csv(table."-roofs") using (column("GB/s")) nooutput
        memory = STATS_max * 1e9
        stats csv(table."-roofs") using (column("billion operations/s")) nooutput
        peak_float = STATS_max * 1e9
        peak_double = STATS_min * 1e9
        stats csv(table) using (column("operations/byte")) nooutput
        set xlabel "operations per byte"
        set ylabel "operations per second"
        set logscale xy
        set format y "%.0s%c"
        set xrange [STATS_min / 2:STATS_max * 4]
        plot memory * x < peak_float ? memory * x : peak_float title "ceilings, float" lc 7 dt 1, \
            memory * x < peak_double ? memory * x : peak_double title "ceilings, double" lc 7 dt 2, \
            for [i=1:words(list)] csv(table) using "operations/byte":(column("billion operations/s") * 1e9) \
                every ::(i-1)::(i-1) with points lt i ps 2 title word(list, i)
    }
    set output
} }
