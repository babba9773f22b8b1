// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ILedger} from "../../../src/v2/interfaces/ILedger.sol";
import {deployArtifact} from "../../helpers/DeployLedger.sol";

/// @param verifiers transfer, release, fund, allocate, spend, spendPublic, payMany
function deployLedger(address owner, address[7] memory verifiers) returns (ILedger) {
    return ILedger(deployArtifact("LedgerV2.sol:LedgerV2", abi.encode(owner, verifiers)));
}

/// The same verifier for every circuit.
function deployLedgerWith(address owner, address verifier) returns (ILedger) {
    return deployLedger(owner, [verifier, verifier, verifier, verifier, verifier, verifier, verifier]);
}
