import { describe, expect, it } from "vitest";
import { decideEach, type RowState } from "./decide-each";
import { totalsByAsset } from "./totals";

class Lost extends Error {}
class Ends extends Error {}

/** Decides a, b, c and d in turn. Returns every state that each went through, and which ones were sent. */
async function decided(decide: (id: string) => Promise<string>, isStopped = () => false) {
  const states: Record<string, RowState<string>[]> = {};
  const asked: string[] = [];
  await decideEach(
    ["a", "b", "c", "d"],
    (id) => {
      asked.push(id);
      return decide(id);
    },
    {
      onState: (id, state) => {
        states[id] = [...(states[id] ?? []), state];
      },
      isOpen: (_, error) => error instanceof Lost,
      ends: (error) => error instanceof Ends,
      isStopped,
    },
  );
  return { asked, last: (id: string) => states[id]?.at(-1) ?? { at: "ready" }, states };
}

const paid = (id: string) => Promise.resolve(`tr_${id}`);

describe("payments that are decided together", () => {
  it("are decided one after the other, each by itself", async () => {
    const running: string[] = [];
    const { states, asked } = await decided(async (id) => {
      expect(running).toEqual([]);
      running.push(id);
      await Promise.resolve();
      running.pop();
      return id;
    });
    expect(asked).toEqual(["a", "b", "c", "d"]);
    expect(states.c).toEqual([{ at: "running" }, { at: "done", output: "c" }]);
  });

  it("one that is refused fails only itself, and one whose response was lost is not said to have failed", async () => {
    const expired = new Error("expired");
    const { last, asked } = await decided(async (id) => {
      if (id === "a") throw expired;
      if (id === "b") throw new Lost();
      return paid(id);
    });
    expect(asked).toHaveLength(4);
    expect(["a", "b", "c", "d"].map(last)).toEqual([
      { at: "refused", error: expired },
      { at: "unknown" },
      { at: "done", output: "tr_c" },
      { at: "done", output: "tr_d" },
    ]);
  });

  it("what ends the session, or the connection, sends nothing for the others", async () => {
    const { last, asked } = await decided(async (id) => {
      if (id === "b") throw new Ends();
      return paid(id);
    });
    expect(asked).toEqual(["a", "b"]);
    expect(["c", "d"].map(last)).toEqual([{ at: "ready" }, { at: "ready" }]);
  });

  it("stopped, the one that runs is finished and no other begun", async () => {
    let stopped = false;
    const { last, asked } = await decided(
      (id) => {
        stopped = id === "b";
        return paid(id);
      },
      () => stopped,
    );
    expect(asked).toEqual(["a", "b"]);
    expect(last("b")).toEqual({ at: "done", output: "tr_b" });
  });

  it("come to one total per asset, exact to the last digit", () => {
    expect(
      totalsByAsset([
        { asset: "USDG", amount: "0.1" },
        { asset: "ETH", amount: "0.000000001" },
        { asset: "USDG", amount: "0.2" },
        { asset: "USDG", amount: "9007199254.740993" },
      ]),
    ).toEqual([
      { asset: "USDG", amount: "9007199255.040993" },
      { asset: "ETH", amount: "0.000000001" },
    ]);
  });
});
