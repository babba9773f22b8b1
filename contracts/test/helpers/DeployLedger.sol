// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {ILedger} from "../../src/interfaces/ILedger.sol";
import {vm} from "./Vm.sol";

/// Deploys the ledger from its artifact. Importing it would compile every test with via-IR.
/// @param verifiers transfer, release, fund, allocate
function deployLedger(address owner, address[4] memory verifiers) returns (ILedger ledger) {
    bytes memory code = abi.encodePacked(vm.getCode("Ledger.sol:Ledger"), abi.encode(owner, verifiers));
    assembly {
        ledger := create(0, add(code, 0x20), mload(code))
    }
    require(address(ledger) != address(0), "the ledger was not deployed");
}
