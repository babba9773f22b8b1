import type { WorkingServices } from "@/test/services/working-services";

/** What an attacker tried, and what came of it. */
export interface Finding {
  kind: "can" | "cannot";
  tried: string;
  got: string;
  /** Whether that is what the trust table says. */
  holds: boolean;
}

/** Takes down what an attacker tries. Nothing stops at a finding that does not hold: all are shown. */
export class Findings {
  readonly all: Finding[] = [];

  /** What the row says that the attacker can do. */
  async can(tried: string, outcome: Promise<string>, expected: string): Promise<void> {
    await this.add("can", tried, outcome, expected);
  }

  /** What the row says that the attacker cannot do: the refusal is the expected one. */
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
  /** As the table names the attacker. */
  who: string;
  /** What exactly the attacker holds. */
  holds: string;
  /** The invariants of docs/protocol.md that it shows. */
  shows?: string;
  /** @param services of this process; what only stands still without a worker is done without it */
  attack(findings: Findings, services: WorkingServices): Promise<void>;
}

const COLUMNS = ["", "tried", "got"] as const;

/** The findings of an attack as a table of text. */
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
