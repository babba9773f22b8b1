// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ILedger} from "../../src/interfaces/ILedger.sol";
import {vm} from "./Vm.sol";

/// Deploys a contract of the product by its artifact: a test that imports one is compiled as it is, slowly.
function deployArtifact(string memory artifact, bytes memory arguments) returns (address deployed) {
    bytes memory code = abi.encodePacked(vm.getCode(artifact), arguments);
    assembly {
        deployed := create(0, add(code, 0x20), mload(code))
    }
    require(deployed != address(0), "nothing was deployed");
}

/// @param verifiers transfer, release, fund, make available, spend, spendPublic, payMany
function deployLedger(address owner, address[7] memory verifiers) returns (ILedger) {
    return ILedger(deployArtifact("Ledger.sol:Ledger", abi.encode(owner, verifiers)));
}

/// The same verifier for every circuit.
function deployLedgerWith(address owner, address verifier) returns (ILedger) {
    return deployLedger(owner, [verifier, verifier, verifier, verifier, verifier, verifier, verifier]);
}
