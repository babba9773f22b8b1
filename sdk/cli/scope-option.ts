import { InvalidArgumentError } from "commander";
import { KEY_SCOPES, type KeyScope, SCOPE_PRESETS, type ScopePreset } from "@/lib/base/key-scopes";
import { list } from "./policy-options";

const PRESETS = Object.keys(SCOPE_PRESETS).join(", ");
const SCOPES = KEY_SCOPES.join(", ");

export const SCOPE_HELP = `what the key may do: ${PRESETS}; or any of ${SCOPES}, separated by commas (default: full)`;

/** Parses the scopes of an option, as a preset or one by one. Null means no limit. */
export function scopesOf(text: string): readonly KeyScope[] | null {
  if (Object.hasOwn(SCOPE_PRESETS, text)) return SCOPE_PRESETS[text as ScopePreset];
  const names = [...new Set(list(text))];
  const known = KEY_SCOPES.filter((scope) => names.includes(scope));
  if (known.length > 0 && known.length === names.length) return known;
  throw new InvalidArgumentError(`Name a preset (${PRESETS}) or scopes (${SCOPES}).`);
}
