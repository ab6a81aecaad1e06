# kernel_programs: the -D options of all kernel programs that are compiled ahead, when fathom is built,
# rather than by a driver (gpu/kernels/program.h). gpu/launch/launch.c asks for the same strings.
set(kernel_programs "-DPIXELS" "-DPAINT" "-DRESAMPLE" "-DINDEX -DNUMBER_DOUBLE")
foreach(cycle 0 1)
    foreach(number FLOAT DOUBLE WIDE)
        list(APPEND kernel_programs "-DITERATE -DFORMULA=0 -DNUMBER_${number} -DCYCLE=${cycle}"
            "-DITERATE -DSHARED -DFORMULA=FORMULA_folded -DNUMBER_${number} -DCYCLE=${cycle}")
    endforeach()
    set(around "-DITERATE -DAROUND")
    list(APPEND kernel_programs
        "${around} -DNUMBER_DOUBLE -DFOLDED=0 -DTURNS=0 -DSCREENED=0 -DCYCLE=${cycle}"
        "${around} -DNUMBER_DOUBLE -DFOLDED=1 -DTURNS=0 -DSCREENED=0 -DCYCLE=${cycle}"
        "${around} -DNUMBER_DOUBLE -DFOLDED=1 -DTURNS=1 -DSCREENED=0 -DCYCLE=${cycle}")
    foreach(folded 0 1)
        foreach(screened 0 1)
            list(APPEND kernel_programs "${around} -DNUMBER_WIDE -DFOLDED=${folded} -DTURNS=${folded} \
-DSCREENED=${screened} -DCYCLE=${cycle}")
        endforeach()
    endforeach()
endforeach()
foreach(number FLOAT DOUBLE)
    list(APPEND kernel_programs "-DITERATE -DMAP -DSHARED -DNUMBER_${number}")
    foreach(fold 0 1 2)
        foreach(deep 0 1)
            list(APPEND kernel_programs
                "-DPOINTS -DNUMBER_${number} -DFOLD=${fold} -DDEEP=${deep}")
        endforeach()
    endforeach()
endforeach()
foreach(folded 0 1)
    foreach(number FLOAT DOUBLE WIDE)
        list(APPEND kernel_programs "-DWALK -DNUMBER_${number} -DFOLDED=${folded}")
    endforeach()
    list(APPEND kernel_programs "-DWALK -DAROUND -DNUMBER_DOUBLE -DFOLDED=${folded} -DTURNS=0")
endforeach()
list(APPEND kernel_programs "-DWALK -DAROUND -DNUMBER_DOUBLE -DFOLDED=1 -DTURNS=1"
    "-DWALK -DAROUND -DNUMBER_WIDE -DFOLDED=0 -DTURNS=0"
    "-DWALK -DAROUND -DNUMBER_WIDE -DFOLDED=1 -DTURNS=1")
