import { inverse } from "../witness/field.ts";
import { type Constraint, plainName, type System, signed } from "./system.ts";

/** The one template whose statements count one by one wherever it is used. */
const OPEN = /^main\.PolicyRules_\d+_\d+\./;
/** What only hands signals on to it. */
export const WIRING = "PolicyRules()";

/**
 * The statement each constraint of a circuit belongs to, named as in the source: `Range64(limit)` for a template
 * applied to a signal, `equation(limit, amount, newLimit)` for one between signals.
 *
 * @param written the circuit compiled without optimisation
 */
export function statements(written: System): Map<Constraint, string> {
  const names = new Map([...written.wires].map(([name, wire]) => [wire, name]));
  const namesOf = (constraint: Constraint) => {
    const wires = new Set(constraint.flat().map(([wire]) => wire));
    return [...wires].sort((a, b) => a - b).flatMap((wire) => names.get(wire) ?? []);
  };
  const applied = new Map<string, string>();
  for (const constraint of written.constraints) {
    const all = namesOf(constraint);
    const input = all.find((name) => /\.(in|available|note)$/.test(name) && componentOf(name) === parentOf(name));
    const component = input === undefined ? undefined : componentOf(input);
    if (input === undefined || component === undefined) continue;
    const outer = all.filter((name) => componentOf(name) !== component);
    if (outer.length > 0) applied.set(component, expression(constraint, names, input));
  }
  const label = (constraint: Constraint) => {
    const all = namesOf(constraint);
    const component = all.map(componentOf).find((one) => one !== undefined && isInside(one, all));
    if (component !== undefined) return `${short(`${component}.`).slice(0, -1)}(${applied.get(component) ?? ""})`;
    const isWiring = all.some((name) => OPEN.test(name)) && !all.every((name) => OPEN.test(name));
    return isWiring ? WIRING : `equation(${listed(all.map(short).sort())})`;
  };
  return new Map(written.constraints.map((constraint) => [constraint, label(constraint)]));
}

/** The component of `main`, or of the open template, that a signal lies in. */
function componentOf(name: string): string | undefined {
  const scope = OPEN.exec(name)?.[0] ?? "main.";
  const end = name.indexOf(".", scope.length);
  return end === -1 ? undefined : name.slice(0, end);
}

function parentOf(name: string): string {
  return name.slice(0, name.lastIndexOf("."));
}

/** Whether a constraint is a component's own, and not a statement about the digits that a named one gives out. */
function isInside(component: string, all: string[]): boolean {
  if (!component.endsWith(".bits")) return true;
  return all.includes(`${component}.in`) || (all.length === 1 && all[0]?.startsWith(`${component}.out`) === true);
}

/** What an input is set to: the sum that a linear constraint leaves for it. */
function expression(constraint: Constraint, names: Map<number, string>, input: string): string {
  const [, , sum] = constraint;
  const own = sum.find(([wire]) => names.get(wire) === input)?.[1] ?? 1n;
  const terms = sum
    .filter(([wire]) => names.get(wire) !== input)
    .map(([wire, k]) => ({ name: wire === 0 ? "" : short(names.get(wire) ?? ""), k: signed(-k * inverse(own)) }))
    .sort((a, b) => Number(a.k < 0n) - Number(b.k < 0n));
  const text = (name: string, size: bigint) => (name === "" ? `${size}` : size === 1n ? name : `${size} * ${name}`);
  const parts = terms.map(({ name, k }) => ({ sign: k < 0n ? "-" : "+", text: text(name, k < 0n ? -k : k) }));
  const merged = listed(
    parts.map((part) => `${part.sign} ${part.text}`),
    " ",
  );
  return merged.replace(/^\+ /, "");
}

function short(name: string): string {
  return plainName(name.replace(OPEN, "main."));
}

/** Names in a row; several of one array as the array. */
function listed(names: string[], separator = ", "): string {
  const base = (name: string) => name.replace(/\[\d+\]$/, "");
  const counts = new Map<string, string[]>();
  for (const name of names) counts.set(base(name), [...(counts.get(base(name)) ?? []), name]);
  return [...counts].map(([array, all]) => (all.length > 1 ? array : (all[0] as string))).join(separator);
}
