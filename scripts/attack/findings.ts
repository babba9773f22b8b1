import type { WorkingServices } from "@/test/services/working-services";

/** Something that an attacker tried, and the result. */
export interface Finding {
  kind: "can" | "cannot";
  tried: string;
  got: string;
  /** Whether the result agrees with the trust table. */
  holds: boolean;
}

/** Collects findings. A finding that does not hold does not stop the run, so that all are shown. */
export class Findings {
  readonly all: Finding[] = [];

  /** Tries something that the attacker can do, according to the row. */
  async can(tried: string, outcome: Promise<string>, expected: string): Promise<void> {
    await this.add("can", tried, outcome, expected);
  }

  /** Tries something that the attacker cannot do, according to the row, and checks that it is refused as expected. */
  async cannot(tried: string, outcome: Promise<string>, expected: string): Promise<void> {
    await this.add("cannot", tried, outcome, expected);
  }

  private async add(kind: Finding["kind"], tried: string, outcome: Promise<string>, expected: string): Promise<void> {
    const got = await outcome.catch((error: unknown) => (error instanceof Error ? `error: ${error.message}` : "error"));
    this.all.push({ kind, tried, got, holds: got === expected });
  }
}

/** One row of the table of who can do what. */
export interface Attack {
  /** The attacker, as the table names it. */
  who: string;
  /** What exactly the attacker holds. */
  holds: string;
  /** The invariants of docs/protocol.md that this row checks. */
  shows?: string;
  /**
   * Runs the attack.
   *
   * @param services of this process. Parts that need a stopped worker stop it.
   */
  attack(findings: Findings, services: WorkingServices): Promise<void>;
}

const COLUMNS = ["", "tried", "got"] as const;

/** Returns the findings of an attack as a text table. */
export function tableOf({ who, holds }: Attack, findings: readonly Finding[]): string {
  const rows = findings.map(({ kind, tried, got, holds: held }) => [
    kind,
    tried,
    held ? got : `${got}  <-- UNEXPECTED`,
  ]);
  const widths = COLUMNS.map((name, at) =>
    Math.max(...[COLUMNS, ...rows].map((row) => row[at]?.length ?? 0), name.length),
  );
  const lines = rows.map((row) => `  ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join("  ")}`.trimEnd());
  return [who, `  holds: ${holds}`, ...lines].join("\n");
}
