import { beforeAll, describe, expect, test } from "vitest";
import { type BitLie, forge, type Inputs } from "./forge.ts";
import { statements, WIRING } from "./statements.ts";
import { project, type Subject } from "./subject.ts";
import { broken, type Constraint, holds } from "./system.ts";

/** A witness that one statement alone refuses. */
export interface Forgery {
  inputs: Inputs;
  /** What the cheat says about the bits of a number that does not fit. */
  lie?: BitLie;
  /** Signals the cheat sets against their definition, by plain name. */
  fixed?: Record<string, bigint>;
}

/** Statements whose removal no witness shows: `lets no wire of an honest witness be changed alone` covers ctx. */
const SHOWN_ELSEWHERE = new Set([WIRING, "BindContext()"]);

/**
 * States that each statement of a circuit is needed: without it, and with all others, the circuit would accept a forged
 * witness that it refuses. A mutant is the circuit as written less the constraints of one statement.
 *
 * @param forgeries by the statement's name (`statements.ts`), for every one of them
 */
export function mutants(subject: () => Subject, forgeries: Record<string, Forgery>) {
  describe("invariant 9: a mutant without", () => {
    let all: [Constraint, string][];
    beforeAll(() => {
      all = [...statements(subject().written)];
    });

    test.each(Object.keys(forgeries))("%s is caught", (name) => {
      const { written, optimised } = subject();
      const { inputs, lie = "absorb", fixed } = forgeries[name] as Forgery;
      const removed = new Set(all.filter(([, statement]) => statement === name).map(([constraint]) => constraint));
      const witness = forge(written, inputs, lie, fixed, removed);
      expect(broken(optimised, project(subject(), witness))).not.toEqual([]);
      const refusing = all.filter(([constraint]) => !holds(constraint, witness));
      expect([...new Set(refusing.map(([, statement]) => statement))]).toEqual([name]);
    });

    test("any of its statements is among these", () => {
      const named = new Set(all.map(([, statement]) => statement).filter((one) => !SHOWN_ELSEWHERE.has(one)));
      expect(Object.keys(forgeries).sort()).toEqual([...named].sort());
    });
  });
}

/** The same forgery for each of `count` slots: `Range64(amounts[2])`. */
export function perSlot(count: number, name: (i: number) => string, forgery: (i: number) => Forgery) {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [name(i), forgery(i)]));
}

/** A forgery in which one public commitment is another. */
export function otherCommitment(inputs: Inputs, signal: string, slot?: number): Forgery {
  const value = inputs[signal];
  if (Array.isArray(value))
    return { inputs: { ...inputs, [signal]: value.with(slot ?? 0, 1n + (value[slot ?? 0] ?? 0n)) } };
  return { inputs: { ...inputs, [signal]: 1n + (value ?? 0n) } };
}
