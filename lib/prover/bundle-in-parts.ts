import type { BuildOptions } from "esbuild";

/** Two classic scripts of one program. */
interface Parts {
  first: string;
  /** What the entry imports by `import()`, and what nothing else needs. It runs where the first one has run. */
  later: string;
}

/** Holds modules by name, and runs each at its first use. Both scripts are in functions: nothing of them is global. */
const REGISTRY =
  "const d={},m={},r=(n)=>{if(!m[n]){m[n]={exports:{}};d[n](m[n].exports,r,m[n])}return m[n].exports};" +
  "globalThis.halcyonParts=(p)=>{Object.assign(d,p)};";

/**
 * Bundles a program as two scripts that share their modules. Workers cannot all run ES modules, and modules that import
 * each other wait for one round trip after the other: so each part is one classic script.
 *
 * @param options with one entry point
 * @param later the module, from the root, that the entry imports by `import()`; it must have run the second script before
 */
export async function bundleInParts(options: BuildOptions & { absWorkingDir: string }, later: string): Promise<Parts> {
  const { build, transform } = await import(/* webpackIgnore: true */ /* turbopackIgnore: true */ "esbuild");
  const { banner, ...rest } = options;
  const { outputFiles, metafile } = await build({
    ...rest,
    format: "esm",
    splitting: true,
    metafile: true,
    write: false,
    outdir: options.absWorkingDir,
  });
  const outputs = Object.entries(metafile.outputs);
  const nameOf = (entry: string) => outputs.find(([, { entryPoint }]) => entryPoint === entry)?.[0] ?? "";
  const [start = ""] =
    outputs.find(([, { entryPoint }]) => entryPoint !== undefined && !entryPoint.endsWith(later)) ?? [];
  const second = nameOf(later);
  const first = new Set<string>();
  const reach = (name: string) => {
    if (first.has(name) || name === second) return;
    first.add(name);
    for (const { path, external } of metafile.outputs[name]?.imports ?? []) if (!external) reach(path);
  };
  reach(start);
  const { minify, target, supported } = { ...rest, supported: { "dynamic-import": false } };
  const modules = await Promise.all(
    outputFiles.map(async ({ path, text }) => {
      const name = path.slice(options.absWorkingDir.length + 1);
      const { code } = await transform(text, { format: "cjs", minify, target, supported, legalComments: "inline" });
      return { name, code: `${JSON.stringify(`./${name}`)}:function(exports,require,module){${code}}` };
    }),
  );
  const codeOf = (inFirst: boolean) =>
    modules.flatMap(({ name, code }) => (first.has(name) === inFirst ? [code] : [])).join(",\n");
  const notice = banner?.js ?? "";
  return {
    first: `${notice}\n(()=>{${REGISTRY}halcyonParts({${codeOf(true)}});r(${JSON.stringify(`./${start}`)})})();\n`,
    later: `${notice}\nhalcyonParts({${codeOf(false)}});\n`,
  };
}
