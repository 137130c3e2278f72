"""Where a trainer's steps stand: functions, methods, classes and files, as productions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.programs import in_classes, in_functions, in_heirs

if TYPE_CHECKING:
    from bench.programs.trainer import Layout

LAYOUTS: tuple[Layout, ...] = (
    in_functions.in_main,
    in_functions.at_top,
    in_functions.nested,
    in_functions.handed_options,
    in_functions.two_functions,
    in_functions.returned_wrapped,
    in_functions.step_function,
    in_functions.two_files,
    in_classes.one_class,
    in_classes.set_up_class,
    in_classes.wrapped_late_class,
    in_classes.built_late_class,
    in_classes.chained_class,
    in_classes.receiving_class,
    in_classes.derived_class,
    in_heirs.base_trains,
    in_heirs.built_by_override,
    in_heirs.set_up_above,
    in_heirs.two_heirs,
    in_heirs.inner_of_three,
    in_classes.set_attribute,
    in_classes.property_class,
    in_classes.callbacks,
    in_classes.callbacks_by_name,
    in_classes.registered,
    in_classes.lightning,
    in_functions.module_global,
    in_functions.spawned,
    in_functions.unpacked,
    in_functions.closure,
    in_functions.high_level,
    in_functions.high_level_bare,
    in_functions.high_level_alias,
    in_functions.high_level_name,
)
