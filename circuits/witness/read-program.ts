import {
  type Instruction,
  KINDS,
  MAGIC,
  MOST_BITS,
  type Program,
  type ProgramInput,
  type Sum,
  VERSION,
} from "./program";

/** Reads a witness program. @throws when the file is not one, is cut short, or names a slot that is not computed yet */
export function readProgram(file: Uint8Array): Program {
  const reader = new Reader(file);
  reader.header();
  const inputs = reader.list(() => reader.input());
  let slots = 1 + inputs.reduce((sum, { length }) => sum + (length ?? 1), 0);
  const numbers = reader.list(() => reader.signed());
  const slot = () => reader.below(slots);
  const number = () => numbers[reader.below(numbers.length)] as bigint;
  const sum = (): Sum => {
    const constant = number();
    const plain = reader.list(slot);
    const terms = reader.list(() => [slot(), number()] as const);
    return { constant, plain, weighted: terms.map(([one]) => one), factors: terms.map(([, factor]) => factor) };
  };
  const instruction = (): Instruction => {
    const kind = KINDS[reader.below(KINDS.length)] as Instruction["kind"];
    if (kind === "check") return { kind, a: sum(), b: sum(), sum: sum() };
    if (kind === "product") {
      const read: Instruction = { kind, a: sum(), b: sum(), sum: sum() };
      slots++;
      return read;
    }
    if (kind === "bits") {
      const read: Instruction = { kind, sum: sum(), count: reader.below(MOST_BITS + 1) };
      slots += read.count;
      return read;
    }
    const read: Instruction = { kind, sum: sum() };
    slots++;
    return read;
  };
  const instructions = reader.list(instruction);
  const wires = reader.list(slot);
  reader.end();
  return { inputs, instructions, wires };
}

class Reader {
  private at = 0;

  constructor(private readonly file: Uint8Array) {}

  header(): void {
    for (const byte of [...MAGIC, VERSION]) if (this.byte() !== byte) throw damaged();
  }

  list<T>(read: () => T): T[] {
    const items: T[] = [];
    for (let left = this.unsigned(); left > 0; left--) items.push(read());
    return items;
  }

  input(): ProgramInput {
    const name = String.fromCharCode(...this.list(() => this.byte()));
    const length = this.unsigned();
    return { name, length: length === 0 ? null : length - 1 };
  }

  below(bound: number): number {
    const value = this.unsigned();
    if (value >= bound) throw damaged();
    return value;
  }

  signed(): bigint {
    const head = this.unsigned();
    let value = 0n;
    for (let i = 0n; i < head >> 1; i++) value |= BigInt(this.byte()) << (8n * i);
    return head & 1 ? -value : value;
  }

  end(): void {
    if (this.at !== this.file.length) throw damaged();
  }

  private unsigned(): number {
    let value = 0;
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = this.byte();
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw damaged();
  }

  private byte(): number {
    const byte = this.file[this.at++];
    if (byte === undefined) throw damaged();
    return byte;
  }
}

function damaged(): Error {
  return new Error("The witness program is damaged, or of another version.");
}
