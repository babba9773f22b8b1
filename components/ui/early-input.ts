import { type Ref, type RefObject, useImperativeHandle, useLayoutEffect, useRef } from "react";

/*
 * What was typed or chosen in a controlled control before the page's scripts had loaded: the browser shows it, and
 * React does not know of it. These functions repeat it as if it happened now. Each is rendered before the next is
 * repeated, because the fields of a form may share their state.
 */

type TextControl = HTMLInputElement | HTMLTextAreaElement;

/**
 * Repeats a text that differs from the rendered one. React compares a control's text with the last one that it noted,
 * and notes what is written through the element itself, but not what is written as the browser does.
 */
export function repeatText(control: TextControl): void {
  const { value: early, defaultValue: rendered } = control;
  if (early === rendered) return;
  queueMicrotask(() => {
    const { selectionStart: start, selectionEnd: end } = control;
    control.value = rendered;
    Reflect.set(Object.getPrototypeOf(control), "value", early, control);
    // Null for kinds of text in which nothing can be selected, such as dates.
    if (start !== null && document.activeElement === control) control.setSelectionRange(start, end);
    control.dispatchEvent(new Event("input", { bubbles: true }));
  });
}

/** Repeats the press of a checkbox that differs from the rendered one. */
export function repeatCheck(box: HTMLInputElement): void {
  const { checked: early, defaultChecked: rendered } = box;
  if (early === rendered) return;
  queueMicrotask(() => {
    box.checked = rendered;
    box.click();
  });
}

/** Repeats the choice of an option that differs from the rendered one. */
export function repeatChoice(select: HTMLSelectElement): void {
  const rendered = [...select.options].find(({ defaultSelected }) => defaultSelected);
  if (!rendered || rendered.selected) return;
  const early = select.value;
  queueMicrotask(() => {
    // What another field repeated has rendered this one as it was.
    select.value = early;
    select.dispatchEvent(new Event("change", { bubbles: true }));
  });
}

/**
 * Repeats what happened in a control before the page's scripts had loaded. Returns the control's `ref`.
 *
 * @param isControlled whether React sets the control; otherwise the browser's own state is all there is
 * @param ref also receives the control
 */
export function useEarly<T extends HTMLElement>(
  repeat: (control: T) => void,
  isControlled = true,
  ref?: Ref<T>,
): RefObject<T | null> {
  const control = useRef<T>(null);
  useImperativeHandle(ref, () => control.current as T, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what was there first is early
  useLayoutEffect(() => {
    if (control.current && isControlled) repeat(control.current);
  }, []);
  return control;
}
