import { expect, test } from "vitest";
import { AbortableCall } from "../../api/abortable-call";
import { Call } from "../../api/call";
import { BlindBalances } from "./blind-balances";

function gate(): { open(): void; opened: Promise<void> } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

test("work on a balance comes in turn, work on another balance waits for none of it, and an error ends a turn", async () => {
  const balances = new BlindBalances();
  const call = new Call();
  const order: string[] = [];
  const first = gate();
  const one = balances.inLine(call, "USDG", async () => {
    await first.opened;
    order.push("first");
    throw new Error("refused");
  });
  const two = balances.inLine(call, "USDG", async () => order.push("second"));
  await balances.inLine(call, "ETH", async () => order.push("other"));
  first.open();
  await expect(one).rejects.toThrow("refused");
  await two;
  expect(order).toEqual(["other", "first", "second"]);
});

test("an aborted call leaves the line, and those behind it still wait for the one before it", async () => {
  const balances = new BlindBalances();
  const order: string[] = [];
  const first = gate();
  const one = balances.inLine(new Call(), "USDG", async () => {
    await first.opened;
    order.push("first");
  });
  const abort = new AbortController();
  const aborted = balances.inLine(new AbortableCall({ signal: abort.signal }), "USDG", async () => order.push("no"));
  const three = balances.inLine(new Call(), "USDG", async () => order.push("third"));
  abort.abort();
  await expect(aborted).rejects.toThrow();
  first.open();
  await Promise.all([one, three]);
  expect(order).toEqual(["first", "third"]);
});
