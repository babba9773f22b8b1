import type { BuildOptions } from "esbuild";

/** One program as two classic scripts. */
interface Parts {
  first: string;
  /** The modules that only the `import()` of the entry needs. Run it after the first script. */
  later: string;
}

/**
 * A minimal module registry, which runs each module at its first use. Both scripts are wrapped in functions, so their
 * modules add nothing to the global scope.
 */
const REGISTRY =
  "const d={},m={},r=(n)=>{if(!m[n]){m[n]={exports:{}};d[n](m[n].exports,r,m[n])}return m[n].exports};" +
  "globalThis.halcyonParts=(p)=>{Object.assign(d,p)};";

/**
 * Bundles a program as two scripts that share their modules. Not every browser runs ES modules in workers, and ES
 * modules that import each other cost one round trip after another, so each part is one classic script.
 *
 * @param options of esbuild, with a single entry point
 * @param later path from the root of the module that the entry loads by `import()`; by then the second script must have
 *   run
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
