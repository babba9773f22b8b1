import type { SampleText } from "./collect-samples";

const IMPORT = /^import (?:type )?(?:[\s\S]*?) from "[^"]+";$/gm;

/**
 * The samples of one document as one module. Readers go on with what earlier blocks declared, so each block stands inside
 * the one before it: it sees those names and can declare them again. What a block imports from a file of the reader's own
 * (`./selling`) is what an earlier block declared. A name that another package has given already is imported in the block.
 */
export function toModule({ blocks }: SampleText): string {
  const imports = new Map<string, Set<string>>();
  const others = new Set<string>();
  const givenBy = new Map<string, string>();

  /** Moves an import of a block to the module; returns what has to stand in the block in its place. */
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

  // A block can't export.
  const inner = blocks.map((block) => `{\n${block.replace(IMPORT, moved).replace(/^export (?:default )?/gm, "")}\n`);
  return [
    ...others,
    ...[...imports].map(([from, names]) => `import { ${[...names].join(", ")} } from ${from};`),
    "export {};",
    inner.join("") + "}".repeat(blocks.length),
  ].join("\n");
}
