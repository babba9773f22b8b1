import { createRequire } from "node:module";
import type { Manifest } from "./manifest";

const require = createRequire(import.meta.url);

interface Model {
  validate(): void;
}

/**
 * Returns what Kubernetes' own schema says against a manifest: missing fields, wrong types, unknown values, and
 * quantities that don't parse. It lets unknown fields pass, which the API's TypeScript types find.
 */
export async function schemaErrors(manifest: Manifest): Promise<string[]> {
  const { apiVersion, kind, metadata } = manifest;
  const named = `${kind} ${metadata.name}`;
  // Version 4.5.1, since 5 needs Node 22.
  const module = `kubernetes-models/${apiVersion}/${kind}`;
  if (!exists(module)) return [`${named}: Kubernetes has no ${kind} in ${apiVersion}`];
  const models = (await import(module)) as Record<string, new (data: object) => Model>;
  const Class = models[kind];
  if (!Class) throw new Error(`${module} has no ${kind}`);
  try {
    new Class(manifest).validate();
    return [];
  } catch (error) {
    const { errors } = error as { errors?: { instancePath: string; message?: string }[] };
    if (!errors) throw error;
    return errors.map(({ instancePath, message }) => `${named}: ${instancePath} ${message}`);
  }
}

/** Whether there is such a module. One that is there and can't be loaded is a fault of the installation. */
function exists(module: string): boolean {
  try {
    require.resolve(module);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "MODULE_NOT_FOUND" || code === "ERR_PACKAGE_PATH_NOT_EXPORTED") return false;
    throw error;
  }
}
