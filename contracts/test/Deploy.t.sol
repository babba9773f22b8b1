// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ILedger} from "../src/interfaces/ILedger.sol";
import {AnyVerifier, ShortVerifier} from "./helpers/AnyVerifier.sol";
import {deployLedgerWith} from "./helpers/DeployLedger.sol";
import {LedgerTest} from "./helpers/LedgerTest.sol";
import {vm} from "./helpers/Vm.sol";

/// constructor
/// ├── refused: a verifier without code, in any place
/// ├── the ledger fits the limit of Ethereum
/// ├── a verifier that returns 31 bytes proves nothing
/// └── the domain has version "2"
contract DeployTest is LedgerTest {
    function test_Invariant19_TheLedgerIsBelow24576Bytes() public view {
        vm.assertLe(address(ledger).code.length, 24_575, "the ledger does not deploy everywhere");
    }

    function test_Invariant19_RevertWhen_AVerifierHasNoCode() public {
        address good = address(new AnyVerifier());
        for (uint256 i = 0; i < 7; ++i) {
            address[7] memory verifiers = [good, good, good, good, good, good, good];
            verifiers[i] = carol;
            bytes memory code =
                abi.encodePacked(vm.getCode("Ledger.sol:Ledger"), abi.encode(address(this), verifiers));
            address deployed;
            bytes memory reason = new bytes(36);
            assembly {
                deployed := create(0, add(code, 0x20), mload(code))
                returndatacopy(add(reason, 0x20), 0, 36)
            }
            vm.assertEq(deployed, address(0));
            vm.assertEq(keccak256(reason), keccak256(abi.encodeWithSelector(ILedger.NoCode.selector, carol)));
        }
    }

    function test_Invariant19_RevertWhen_AVerifierReturns31Bytes() public {
        ledger = deployLedgerWith(address(this), address(new ShortVerifier()));
        _enroll(ALICE_KEY, paymentKey);
        _enroll(BOB_KEY, address(0));
        vm.startPrank(alice);
        vm.expectRevert(ILedger.InvalidProof.selector);
        ledger.transfer(_transferParams(1), proof, "");
        ILedger.TransferManyParams memory p = _manyParams(1, 2);
        vm.expectRevert(ILedger.InvalidProof.selector);
        ledger.transferMany(p, proof, "");
    }

    function test_TheDomainIsTheOneThatClientsSign() public view {
        bytes32 expected = keccak256(
            abi.encode(
                keccak256(
                    "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract,bytes32 salt)"
                ),
                keccak256("Halcyon Ledger"),
                keccak256("2"),
                block.chainid,
                address(ledger),
                ledger.domainSalt()
            )
        );
        vm.assertEq(ledger.domainSeparator(), expected);
    }
}
