// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ILedger} from "../src/interfaces/ILedger.sol";
import {AcceptingVerifier} from "./helpers/AcceptingVerifier.sol";
import {deployLedger} from "./helpers/DeployLedger.sol";
import {vm} from "./helpers/Vm.sol";

/// A ledger never gets other verifiers, so each has to be there from the start.
/// ├── deployed: with four contracts
/// └── refused: any of them without code (a missed deployment, a wallet, a precompile, zero)
contract ConstructionTest {
    address private verifier = address(new AcceptingVerifier());

    function test_DeployedWithFourContracts() public {
        vm.assertTrue(address(deployLedger(address(this), [verifier, verifier, verifier, verifier])).code.length > 0);
    }

    function test_RevertWhen_AVerifierHasNoCode() public {
        address[4] memory empty = [address(0), address(8), address(0xca401), vm.addr(1)];
        for (uint256 place = 0; place < 4; ++place) {
            for (uint256 i = 0; i < 4; ++i) {
                address[4] memory verifiers = [verifier, verifier, verifier, verifier];
                verifiers[place] = empty[i];
                bytes memory code =
                    abi.encodePacked(vm.getCode("Ledger.sol:Ledger"), abi.encode(address(this), verifiers));
                address ledger;
                bytes memory reason = new bytes(0x24);
                assembly ("memory-safe") {
                    ledger := create(0, add(code, 0x20), mload(code))
                    returndatacopy(add(reason, 0x20), 0, 0x24)
                }
                vm.assertEq(ledger, address(0));
                bytes memory expected = abi.encodeWithSelector(ILedger.VerifierWithoutCode.selector, empty[i]);
                vm.assertEq(keccak256(reason), keccak256(expected));
            }
        }
    }
}
