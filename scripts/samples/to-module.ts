import type { SampleText } from "./collect-samples";

const IMPORT = /^import (?:type )?(?:[\s\S]*?) from "[^"]+";$/gm;

/**
 * Combines the samples of one document into one module. Readers continue with what earlier blocks declared, so each
 * block is nested inside the previous one: it sees those names and can redeclare them. An import from a file of the
 * reader's own (`./selling`) refers to an earlier block's declaration. A name that another package already provides is
 * imported inside the block.
 */
export function toModule({ blocks }: SampleText): string {
  const imports = new Map<string, Set<string>>();
  const others = new Set<string>();
  const givenBy = new Map<string, string>();

  /** Moves an import from a block to the module. Returns what must stay in the block. */
  function moved(statement: string): string {
    const [, names, from = ""] = /^import \{([\s\S]*)\} from ("[^"]+");$/.exec(statement) ?? [];
    if (names === undefined) {
      others.add(statement);
      return "";
    }
    if (from.startsWith('"./')) return "";
    const inside: string[] = [];
    const known = imports.get(from) ?? new Set();
    for (const one of names.split(",").map((name) => name.trim())) {
      if (!one) continue;
      if ((givenBy.get(one) ?? from) !== from) inside.push(one);
      else known.add(one);
      if (!givenBy.has(one)) givenBy.set(one, from);
    }
    imports.set(from, known);
    return inside.length > 0 ? `const { ${inside.join(", ")} } = await import(${from});` : "";
  }

  // A block can't contain exports.
  const inner = blocks.map((block) => `{\n${block.replace(IMPORT, moved).replace(/^export (?:default )?/gm, "")}\n`);
  return [
    ...others,
    ...[...imports].map(([from, names]) => `import { ${[...names].join(", ")} } from ${from};`),
    "export {};",
    inner.join("") + "}".repeat(blocks.length),
  ].join("\n");
}
