import type { WorkingServices } from "@/test/services/working-services";
import { ATTACKS } from "./attacks";
import { type Attack, type Finding, Findings } from "./findings";

/** The findings of one attack. */
export interface Outcome {
  attack: Attack;
  findings: readonly Finding[];
}

/** Runs every attack against the services of this process, one after the other. */
export async function* runAttacks(services: WorkingServices): AsyncGenerator<Outcome> {
  for (const attack of ATTACKS) {
    const findings = new Findings();
    await attack.attack(findings, services);
    yield { attack, findings: findings.all };
  }
}
