import type { Linear } from "./linear.ts";

/** What an instruction computes or checks, over wires. */
export type Step =
  | { kind: "sum"; target: number; sum: Linear }
  | { kind: "product"; target: number; a: Linear; b: Linear; sum: Linear }
  | { kind: "bits"; targets: number[]; sum: Linear }
  | { kind: "inverse"; target: number; sum: Linear }
  | { kind: "check"; a: Linear; b: Linear; sum: Linear };

/** The wires a step computes. */
export function targetsOf(step: Step): number[] {
  if (step.kind === "check") return [];
  return step.kind === "bits" ? step.targets : [step.target];
}

/** What a step reads. */
export function operandsOf(step: Step): Linear[] {
  return step.kind === "product" || step.kind === "check" ? [step.a, step.b, step.sum] : [step.sum];
}

/** The step with each of its operands changed. */
export function withOperands(step: Step, change: (operand: Linear) => Linear): Step {
  const sum = change(step.sum);
  if (step.kind === "product" || step.kind === "check") return { ...step, a: change(step.a), b: change(step.b), sum };
  return { ...step, sum };
}
