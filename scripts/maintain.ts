import { maintain } from "@/db/maintain";
import { readRetention } from "@/lib/base/env";
import { databaseUrls } from "./stack/database-urls";
import { printable } from "./stack/printable";

// `npm run maintain`: creates the partitions of the coming months and drops those past their retention, as the role
// that owns the tables. Run it once a day while the service runs; `npm start` does it itself.
try {
  const { appUrl, ownerUrl } = await databaseUrls();
  const { created, dropped, kept } = await maintain(ownerUrl, appUrl, readRetention());
  for (const name of created) console.log(`created ${name}`);
  for (const name of dropped) console.log(`dropped ${name}`);
  for (const why of kept) console.log(`stays: ${why}`);
  console.log("The tables have partitions for the coming months.");
} catch (error) {
  console.error(printable(error));
  process.exitCode = 1;
}
