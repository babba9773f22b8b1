import type { SampleText } from "./collect-samples";

const IMPORT = /^import (?:type )?(?:[\s\S]*?) from "[^"]+";$/gm;

/**
 * The samples of one document as one module. Readers go on with what earlier blocks declared, so each block stands inside
 * the one before it: it sees those names and can declare them again.
 */
export function toModule({ blocks }: SampleText): string {
  const imports = new Map<string, Set<string>>();
  const others = new Set<string>();
  for (const statement of blocks.flatMap((block) => block.match(IMPORT) ?? [])) {
    const [, names, from = ""] = /^import \{([\s\S]*)\} from ("[^"]+");$/.exec(statement) ?? [];
    if (names === undefined) others.add(statement);
    else {
      const known = imports.get(from) ?? new Set();
      for (const one of names.split(",")) if (one.trim()) known.add(one.trim());
      imports.set(from, known);
    }
  }
  // A block can't export.
  const inner = blocks.map((block) => `{\n${block.replace(IMPORT, "").replace(/^export (?:default )?/gm, "")}\n`);
  return [
    ...others,
    ...[...imports].map(([from, names]) => `import { ${[...names].join(", ")} } from ${from};`),
    "export {};",
    inner.join("") + "}".repeat(blocks.length),
  ].join("\n");
}
