import { expect, test } from "vitest";
import { countedInWords } from "./end-keys";
import { forEachItem } from "./for-each-item";
import { rotationLeft, stepOf } from "./rotation-words";

test("one that fails stops no other, and is named afterwards", async () => {
  const done: number[] = [];
  const error = new Error("refused");
  const work = async (item: number) => {
    if (item === 3) throw error;
  };
  const undone = await forEachItem([1, 2, 3, 4, 5, 6, 7, 8, 9], work, (count) => done.push(count));
  expect(undone).toEqual([{ item: 3, error }]);
  expect(done).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(await forEachItem([], work, () => {})).toEqual([]);
});

test("keys and applications are counted in words", () => {
  const [key, application] = [
    { path: "", kind: "key" },
    { path: "", kind: "application" },
  ] as const;
  expect(countedInWords([key])).toBe("1 key");
  expect(countedInWords([key, key, application])).toBe("2 keys and 1 application");
  expect(countedInWords([application, application])).toBe("2 applications");
});

test("a rotation says what it does and what it could not do", () => {
  const steps = [0, 1, 2, 3].map((done) => stepOf(done));
  expect(new Set(steps).size).toBe(4);
  expect(rotationLeft({})).toEqual([]);
  const unfinished = [{ what: "payouts", reason: "The service does not respond." }];
  expect(rotationLeft({ unfinished, held_unreadable: ["tx_1"] })).toEqual([
    "Payment tx_1, which waits for approval, can't be decrypted: reject it.",
    "Not done: payouts. The service does not respond.",
    "Continue to finish what is not done.",
  ]);
});
