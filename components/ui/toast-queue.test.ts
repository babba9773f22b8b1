import { expect, test } from "vitest";
import { ToastQueue } from "./toast-queue";

test("a message that comes before anything shows it waits, and is shown once", () => {
  const queue = new ToastQueue();
  queue.add({ kind: "failure", title: "early" });
  const shown: string[] = [];
  const show = () => shown.push(...queue.take().map(({ title }) => title));
  show();
  const stop = queue.subscribe(show);
  queue.add({ kind: "success", title: "later" });
  show();
  stop();
  queue.add({ kind: "success", title: "unseen" });
  expect(shown).toEqual(["early", "later"]);
});
