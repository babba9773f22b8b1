require("node:v8").setFlagsFromString("--liftoff-only");
