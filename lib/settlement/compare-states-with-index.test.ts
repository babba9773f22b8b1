import type { Hex } from "viem";
import { describe, expect, test } from "vitest";
import { type AvailableChange, compareStatesWithIndex, type StateRow } from "./compare-states-with-index";

const account: Hex = `0x${"11".repeat(20)}`;
const asset: Hex = `0x${"22".repeat(20)}`;
const commitment = (n: number): Hex => `0x${n.toString(16).padStart(64, "0")}`;

/**
 * A state `id` that replaces commitment `oldCommitment` by commitment `id`, made by operation `op<id>`: a move to the
 * available balance, which is identified by its commitment.
 */
const state = (id: number, oldCommitment: number, status: StateRow["status"] = "pending"): StateRow => ({
  id: BigInt(id),
  account,
  asset,
  oldCommitment: commitment(oldCommitment),
  commitment: commitment(id),
  status,
  operationId: `op${id}`,
  ofPayment: false,
  shown: false,
  own: false,
});
/** Like `state`, but made by a payment that leaves commitment `newCommitment`. */
const paid = (id: number, oldCommitment: number, newCommitment: number, says: Partial<StateRow> = {}): StateRow => {
  return { ...state(id, oldCommitment), commitment: commitment(newCommitment), ofPayment: true, ...says };
};
const change = (oldCommitment: number, newCommitment: number): AvailableChange => ({
  account,
  asset,
  oldCommitment: commitment(oldCommitment),
  newCommitment: commitment(newCommitment),
  txHash: `0x${"ab".repeat(32)}`,
});
const ids = (verdict: ReturnType<typeof compareStatesWithIndex>) => ({
  carriedOut: verdict.carriedOut.map(({ operationId }) => operationId),
  final: verdict.final === null ? null : Number(verdict.final),
  superseded: verdict.superseded.map(Number),
  twins: verdict.twins.map(Number),
  past: verdict.past === null ? null : Number(verdict.past),
  doubtful: verdict.doubtful,
});

describe("judging the states of an available balance", () => {
  test("the state of the final commitment is final, the one before superseded, those built on it stay", () => {
    const states = [state(1, 0, "final"), state(2, 1), state(3, 2), state(4, 3)];
    expect(ids(compareStatesWithIndex(states, [change(1, 2)]))).toEqual({
      carriedOut: ["op2"],
      final: 2,
      superseded: [1],
      twins: [],
      past: null,
      doubtful: [],
    });
  });

  test("several payments in one batch are all carried out, and only the last state is kept", () => {
    const states = [state(1, 0, "final"), state(2, 1), state(3, 2), state(4, 3)];
    expect(ids(compareStatesWithIndex(states, [change(1, 2), change(2, 3), change(3, 4)]))).toEqual({
      carriedOut: ["op2", "op3", "op4"],
      final: 4,
      superseded: [1, 2, 3],
      twins: [],
      past: null,
      doubtful: [],
    });
  });

  test("a commitment no one here made leaves no state to spend from, keeps the last one as past and fails every pending one", () => {
    const states = [state(1, 0, "final"), state(2, 1), state(3, 2)];
    expect(ids(compareStatesWithIndex(states, [change(1, 99)]))).toEqual({
      carriedOut: [],
      final: null,
      superseded: [],
      twins: [],
      past: 1,
      doubtful: ["op2", "op3"],
    });
  });

  test("an own payment followed by an unknown commitment is carried out, what builds on it fails", () => {
    const states = [state(1, 0, "final"), state(2, 1), state(3, 2)];
    expect(ids(compareStatesWithIndex(states, [change(1, 2), change(2, 99)]))).toEqual({
      carriedOut: ["op2"],
      final: null,
      superseded: [1],
      twins: [],
      past: 2,
      doubtful: ["op3"],
    });
  });

  test("a pending state that does not build on the final commitment can never come true and fails", () => {
    const states = [state(1, 0, "final"), state(2, 1, "void"), state(3, 2, "void"), state(4, 1), state(5, 4)];
    // The void state 2 became final after all, so 4 and 5 build on a commitment that no longer exists.
    expect(ids(compareStatesWithIndex(states, [change(1, 2)]))).toEqual({
      carriedOut: ["op2"],
      final: 2,
      superseded: [1],
      twins: [],
      past: null,
      doubtful: ["op4", "op5"],
    });
  });

  test("a past state is gone once a later commitment is in the log", () => {
    const states = [state(1, 0, "past"), state(2, 99, "final"), state(3, 2)];
    expect(ids(compareStatesWithIndex(states, [change(2, 3)]))).toMatchObject({
      final: 3,
      superseded: [1, 2],
      past: null,
    });
  });

  test("of two payments that leave one commitment only the one that is on chain is final, the other's state is void", () => {
    const [first, second] = [paid(2, 1, 9, { shown: true }), paid(3, 1, 9)];
    const before = state(1, 0, "final");
    expect(ids(compareStatesWithIndex([before, { ...first, status: "void" }, second], [change(1, 9)]))).toEqual({
      carriedOut: ["op2"],
      final: 2,
      superseded: [1],
      twins: [3],
      past: null,
      doubtful: ["op3"],
    });
    const other = compareStatesWithIndex(
      [before, { ...first, status: "void", shown: false }, { ...second, shown: true }],
      [change(1, 9)],
    );
    expect(ids(other)).toMatchObject({ carriedOut: ["op3"], final: 3, superseded: [1, 2], twins: [] });
  });

  test("a void state stays void when another payment left its commitment", () => {
    const states = [state(1, 0, "final"), paid(2, 1, 9, { status: "void" })];
    expect(ids(compareStatesWithIndex(states, [change(1, 9)]))).toMatchObject({ carriedOut: [], final: null, past: 1 });
  });

  test("one payment that was tried again happened once: by who sent it, else by the attempt that is not given up", () => {
    const [given, again] = [paid(2, 1, 9, { shown: true, status: "void" }), paid(3, 1, 9, { shown: true })];
    expect(ids(compareStatesWithIndex([given, again], [change(1, 9)]))).toMatchObject({
      carriedOut: ["op3"],
      final: 3,
    });
    const sent = compareStatesWithIndex([{ ...given, own: true }, again], [change(1, 9)]);
    expect(ids(sent)).toMatchObject({ carriedOut: ["op2"], final: 2, twins: [3], doubtful: ["op3"] });
  });

  test("what builds on the final commitment stays, whichever of its payments is on chain", () => {
    const states = [paid(2, 1, 9, { shown: true, status: "void" }), paid(3, 1, 9), paid(4, 9, 10), paid(5, 10, 11)];
    expect(ids(compareStatesWithIndex(states, [change(1, 9)]))).toMatchObject({
      final: 2,
      twins: [3],
      doubtful: ["op3"],
    });
  });
});
