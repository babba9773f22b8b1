import { defaultViewingKeyFile, writeViewingKeyFile } from "../context/platform/viewing-key-file";
import { fields } from "./output";
import type { AddCommand } from "./program";
import { withExamples } from "./with-examples";

const WARNING = `This file decrypts all past and future amounts and memos of the account and its agents.
It can't spend, and no one can revoke it: give it only to servers and people that may read everything.
It works with an API key of scope read-only:
  halcyon keys create --label shop --scope read-only`;

/** `viewing-key export`. */
export const viewingKeyCommands: AddCommand = (program, reports, variables) => {
  const group = withExamples(
    program.command("viewing-key").description("the key that decrypts amounts and can't spend"),
    "viewing-key export --out shop.hcvk",
  );
  const exported = withExamples(
    group
      .command("export")
      .description("write the account's viewing key to a file that only you can read (needs the wallet key)")
      .option("--out <file>", "the file (default: viewing.key in this machine's configuration folder)")
      .option("--force", "replace an existing file"),
    "viewing-key export",
    "viewing-key export --out shop.hcvk",
  );
  exported.action(() =>
    reports.withClient(
      exported,
      async (client) => {
        const { out = defaultViewingKeyFile(variables), force } = exported.opts<{ out?: string; force?: boolean }>();
        const { viewing_key, account } = await client.viewingKeys.export();
        await writeViewingKeyFile(out, viewing_key, force);
        return { viewing_key_file: out, account };
      },
      (result) => `${fields({ ...result })}\n\n${WARNING}`,
    ),
  );
};
