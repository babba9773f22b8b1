import { expect, test } from "vitest";
import { inTurn } from "@/lib/balances/in-turn";
import { withClient } from "@/lib/base/client-left";
import { FairQueue } from "@/lib/base/fair-queue";
import { AccountConcurrency } from "./account-concurrency";

/** Does something as a request; the second function lets its client leave. */
function asRequest<T>(work: () => Promise<T>): { done: Promise<T>; leave: () => void } {
  const controller = new AbortController();
  const done = withClient(controller.signal, work);
  done.catch(() => {});
  return { done, leave: () => controller.abort() };
}

const LEFT = { code: "unavailable", publicMessage: expect.stringContaining("has left") };
const NEVER = new Promise<never>(() => {});

test("a request whose client has left gives up its account's line, and is not counted there any more", async () => {
  const lines = new AccountConcurrency(10);
  lines.enter("other");
  const [first, second] = [lines.enter("one"), lines.enter("one")];
  await Promise.all([first.acquire(), second.acquire()]);
  const [gone, behind] = [lines.enter("one"), lines.enter("one")];
  const { done, leave } = asRequest(() => gone.acquire());
  const next = behind.acquire();
  leave();
  await expect(done).rejects.toMatchObject(LEFT);
  gone.leave();
  expect(lines.load("one")).toEqual({ placed: 2, waiting: 1, inside: 3 });
  first.leave();
  await next;
  for (const slot of [second, behind]) slot.leave();
});

test("a request whose client has left gives up its turn; those behind it still wait for those before it", async () => {
  const order: string[] = [];
  let end = () => {};
  const working = new Promise<void>((resolve) => {
    end = resolve;
  });
  const first = inTurn("available", () => working);
  const { done, leave } = asRequest(() => inTurn("available", async () => void order.push("gone")));
  const third = inTurn("available", async () => void order.push("third"));
  leave();
  await expect(done).rejects.toMatchObject(LEFT);
  expect(order).toEqual([]);
  end();
  await Promise.all([first, third]);
  expect(order).toEqual(["third"]);
});

test("a request whose client has left gives up its slot, also one that it gets later", async () => {
  const queue = new FairQueue({ slots: 1 });
  const release = await queue.take("one");
  const { done, leave } = asRequest(() => queue.run("one", () => NEVER));
  const next = queue.run("two", async () => "worked");
  leave();
  await expect(done).rejects.toMatchObject(LEFT);
  release();
  expect(await next).toBe("worked");
  expect(queue.load()).toEqual({ running: 0, waiting: 0 });
});

test("work that belongs to no request waits to the end", async () => {
  const queue = new FairQueue({ slots: 1 });
  const release = await queue.take("one");
  const next = queue.run("two", async () => "worked");
  release();
  expect(await next).toBe("worked");
});
