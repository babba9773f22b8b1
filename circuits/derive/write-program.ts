import { type Instruction, KINDS, MAGIC, type Program, type Sum, VERSION } from "../witness/program.ts";

/** A program as its file (see `Program`). The same program gives the same bytes. */
export function writeProgram({ inputs, instructions, wires }: Program): Uint8Array {
  const numbers = numbersOf(instructions);
  const bytes: number[] = [...MAGIC, VERSION];
  const unsigned = (value: number) => {
    let rest = value;
    for (; rest >= 0x80; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
    bytes.push(rest);
  };
  const list = <T>(items: Iterable<T> & { length: number }, write: (item: T) => void) => {
    unsigned(items.length);
    for (const item of items) write(item);
  };
  const number = (value: bigint) => unsigned(numbers.get(value) as number);
  const sum = ({ constant, plain, weighted, factors }: Sum) => {
    number(constant);
    list(plain, unsigned);
    unsigned(weighted.length);
    weighted.forEach((slot, i) => {
      unsigned(slot);
      number(factors[i] as bigint);
    });
  };

  list(inputs, ({ name, length }) => {
    list(name, (character) => bytes.push(character.charCodeAt(0)));
    unsigned(length === null ? 0 : length + 1);
  });
  list([...numbers.keys()], (value) => {
    const magnitude = littleEndian(value < 0n ? -value : value);
    unsigned(2 * magnitude.length + (value < 0n ? 1 : 0));
    bytes.push(...magnitude);
  });
  list(instructions, (instruction) => {
    unsigned(KINDS.indexOf(instruction.kind));
    for (const one of sumsOf(instruction)) sum(one);
    if (instruction.kind === "bits") unsigned(instruction.count);
  });
  list(wires, unsigned);
  return Uint8Array.from(bytes);
}

/** Every number that occurs, with its index: 0, then those used most often. */
function numbersOf(instructions: readonly Instruction[]): Map<bigint, number> {
  const uses = new Map<bigint, number>();
  for (const { constant, factors } of instructions.flatMap(sumsOf)) {
    for (const value of [constant, ...factors]) uses.set(value, (uses.get(value) ?? 0) + 1);
  }
  uses.delete(0n);
  const ordered = [...uses].sort(([, one], [, other]) => other - one).map(([value]) => value);
  return new Map([0n, ...ordered].map((value, index) => [value, index]));
}

/** In the order of the file. */
function sumsOf(instruction: Instruction): Sum[] {
  const { kind, sum } = instruction;
  return kind === "product" || kind === "check" ? [instruction.a, instruction.b, sum] : [sum];
}

function littleEndian(value: bigint): number[] {
  const bytes: number[] = [];
  for (let rest = value; rest > 0n; rest >>= 8n) bytes.push(Number(rest & 0xffn));
  return bytes;
}
