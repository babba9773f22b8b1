import type { ComponentProps, FocusEvent, ReactElement } from "react";
import { expect, test, vi } from "vitest";
import { AmountText } from "./amount-input";

/** Leaves the control with this in it. Returns the amounts that it announces. */
function left(amount: string): string[] {
  const announced = vi.fn<(amount: string) => void>();
  const { props } = AmountText({ amount, onAmount: announced }) as ReactElement<ComponentProps<"input">>;
  props.onBlur?.({} as FocusEvent<HTMLInputElement>);
  return announced.mock.calls.map(([amount]) => amount);
}

test("an amount that is left is written as the API takes it, and one that is so already stays", () => {
  expect(left("007.")).toEqual(["7"]);
  expect(left(".5")).toEqual(["0.5"]);
  expect(left("7")).toEqual([]);
});
