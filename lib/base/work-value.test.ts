import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { WorkValue } from "./work-value";

const color = new WorkValue<string>("test color");
const size = new WorkValue<number>("test size");

test("values belong to the work that runs with them and to what it starts, each under its own name", async () => {
  const seen: [string | undefined, number | undefined][] = [];
  const look = async () => {
    await turn();
    seen.push([color.get(), size.get()]);
  };
  await Promise.all([
    color.run("red", () => Promise.all([size.run(1, look), look(), size.run(2, () => color.run("blue", look))])),
    size.run(3, look),
    look(),
  ]);
  expect(seen).toEqual([
    ["red", 1],
    ["red", undefined],
    ["blue", 2],
    [undefined, 3],
    [undefined, undefined],
  ]);
});

test("copies of a module, as in Next.js's bundles, share a value by its name", () => {
  expect(color.run("red", () => new WorkValue<string>("test color").get())).toBe("red");
});
