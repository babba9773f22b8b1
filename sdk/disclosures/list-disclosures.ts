import type { Context } from "../context/context";
import type { ListedDisclosure } from "./disclosure-input";

/** The views that are shared now, newest first. */
export async function listDisclosures(context: Context): Promise<{ disclosures: ListedDisclosure[] }> {
  return (await context.session()).get<{ disclosures: ListedDisclosure[] }>("/api/disclosures");
}

/** Deletes one: its link opens nothing any more. */
export async function deleteDisclosure(context: Context, id: string): Promise<void> {
  await (await context.session()).call("DELETE", `/api/disclosures/${encodeURIComponent(id)}`, {});
}
