import { inverse, mod, R } from "./field";
import type { Program, Sum } from "./program";
import { UnsatisfiedCircuit } from "./unsatisfied-circuit";

/** The inputs of a circuit by name; arrays are flat. */
export type Inputs = Readonly<Record<string, bigint | readonly bigint[]>>;

/**
 * Computes a witness: each wire's value, the constant 1 first, then the public signals.
 *
 * @throws UnsatisfiedCircuit when a statement of the circuit does not hold for the inputs, or one of them is missing,
 *   unknown, of another length or not an integer of [0, r)
 */
export function runProgram(program: Program, inputs: Inputs): bigint[] {
  const values = [1n];
  takeInputs(program, inputs, values);
  for (const instruction of program.instructions) {
    switch (instruction.kind) {
      case "sum":
        values.push(mod(sumOf(instruction.sum, values)));
        break;
      case "product":
        values.push(mod(productOf(instruction, values)));
        break;
      case "bits":
        pushBits(mod(sumOf(instruction.sum, values)), instruction.count, values);
        break;
      case "inverse":
        values.push(inverse(sumOf(instruction.sum, values)));
        break;
      case "check":
        if (productOf(instruction, values) % R !== 0n) throw new UnsatisfiedCircuit();
    }
  }
  return program.wires.map((slot) => values[slot] as bigint);
}

function takeInputs(program: Program, inputs: Inputs, values: bigint[]): void {
  if (Object.keys(inputs).length !== program.inputs.length) throw new UnsatisfiedCircuit();
  for (const { name, length } of program.inputs) {
    const given = Object.hasOwn(inputs, name) ? inputs[name] : undefined;
    if (Array.isArray(given) ? given.length !== length : length !== null) throw new UnsatisfiedCircuit();
    for (const value of length === null ? [given] : (given as readonly unknown[])) {
      if (typeof value !== "bigint" || value < 0n || value >= R) throw new UnsatisfiedCircuit();
      values.push(value);
    }
  }
}

/** Not reduced. */
function sumOf({ constant, plain, weighted, factors }: Sum, values: bigint[]): bigint {
  let sum = constant;
  for (const slot of plain) sum += values[slot] as bigint;
  for (let i = 0; i < weighted.length; i++) {
    sum += (factors[i] as bigint) * (values[weighted[i] as number] as bigint);
  }
  return sum;
}

/** Not reduced, and of bounded length all the same. */
function productOf({ a, b, sum }: { a: Sum; b: Sum; sum: Sum }, values: bigint[]): bigint {
  return factorOf(a, values) * factorOf(b, values) + sumOf(sum, values);
}

function factorOf(sum: Sum, values: bigint[]): bigint {
  const value = sumOf(sum, values);
  return sum.weighted.length === 0 ? value : value % R;
}

function pushBits(value: bigint, count: number, values: bigint[]): void {
  if (value >> BigInt(count) !== 0n) throw new UnsatisfiedCircuit();
  let rest = value;
  for (let done = 0; done < count; done += 32) {
    const word = Number(rest & 0xffffffffn);
    for (let i = 0; i < Math.min(32, count - done); i++) values.push((word >>> i) & 1 ? 1n : 0n);
    rest >>= 32n;
  }
}
