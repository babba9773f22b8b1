// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {FIELD_ORDER} from "../src/Constants.sol";
import {ILedger} from "../src/interfaces/ILedger.sol";
import {RealLedgerTest} from "./helpers/RealLedgerTest.sol";
import {Structs} from "./helpers/Structs.sol";
import {vm} from "./helpers/Vm.sol";

/// One real proof of a payment under a policy. Whatever is changed, the right key signs the changed call.
/// ├── control: taken as committed
/// ├── refused: another recipient, day, mode, amount, note, available balance, ciphertext, deadline
/// └── refused: under another policy commitment, and under the same commitment of a later version
contract SpendBindingTest is RealLedgerTest {
    ILedger.SpendParams private params;
    ILedger.RecipientProof private path;
    ILedger.Proof private proof;
    bytes private signature;

    function setUp() public override {
        super.setUp();
        _runUntil("spend");
        (params, path, proof, signature) =
            abi.decode(_arguments("spend"), (ILedger.SpendParams, ILedger.RecipientProof, ILedger.Proof, bytes));
    }

    function test_TheProofIsTaken() public {
        ledger.spend(params, path, proof, signature);
        vm.assertEq(_old(agent), params.newAvailable);
    }

    function test_RevertWhen_ForAnotherRecipient() public {
        params.to = alice;
        _expectInvalid(AGENT_KEY);
    }

    function test_RevertWhen_OnAnotherDayThatTheLedgerTakes() public {
        params.day -= 1;
        _expectInvalid(AGENT_KEY);
    }

    function test_RevertWhen_InTheModeOfTheOwnersPaymentKey() public {
        params.mode = 1;
        _expectInvalid(paymentKey);
    }

    function test_RevertWhen_InTheModeOfTheOwnersWallet() public {
        (params.mode, params.day) = (2, 0);
        _expectInvalid(ALICE_KEY);
    }

    function test_RevertWhen_TheEncryptedAmountIsReplaced() public {
        params.encryptedAmount = (params.encryptedAmount + 1) % FIELD_ORDER;
        _expectInvalid(AGENT_KEY);
    }

    function test_RevertWhen_TheNoteIsReplaced() public {
        params.note = (params.note + 1) % FIELD_ORDER;
        _expectInvalid(AGENT_KEY);
    }

    function test_RevertWhen_TheNewAvailableIsReplaced() public {
        params.newAvailable = (params.newAvailable + 1) % FIELD_ORDER;
        _expectInvalid(AGENT_KEY);
    }

    function testFuzz_RevertWhen_ACiphertextIsReplaced(uint256 index, bool ofThePayer) public {
        bytes32[4] storage copy = ofThePayer ? params.payerCiphertext : params.recipientCiphertext;
        copy[index % 4] ^= bytes32(1 << (index >> 2 & 0xff));
        _expectInvalid(AGENT_KEY);
    }

    function test_RevertWhen_TheDeadlineIsReplaced() public {
        params.deadline += 1;
        _expectInvalid(AGENT_KEY);
    }

    function test_RevertWhen_ThePolicyHasAnotherWord() public {
        _setPolicy(addmod(ledger.policyCommitmentOf(agent, address(usdg)), 1, FIELD_ORDER));
        _expectInvalid(AGENT_KEY);
    }

    function test_RevertWhen_TheSamePolicyHasALaterVersion() public {
        _setPolicy(ledger.policyCommitmentOf(agent, address(usdg)));
        vm.expectPartialRevert(ILedger.NotAuthorized.selector);
        ledger.spend(params, path, proof, signature);
        _expectInvalid(AGENT_KEY);
    }

    /// The commitment in force, for anyone, so that nothing but the commitment and the version can refuse.
    function _setPolicy(uint256 commitment) private {
        ILedger.PolicyParams memory p;
        (p.account, p.limited, p.recipientsRoot, p.deadline) = (agent, true, bytes32(uint256(1)), DEADLINE);
        (p.assets, p.commitments) = (new address[](1), new uint256[](1));
        (p.assets[0], p.commitments[0]) = (address(usdg), commitment);
        vm.prank(alice);
        ledger.setPolicy(p, "");
    }

    function _expectInvalid(uint256 key) private {
        bytes memory signed = _sign(key, Structs.spend(params, _old(agent), _version(agent)));
        vm.expectRevert(ILedger.InvalidProof.selector);
        ledger.spend(params, path, proof, signed);
    }
}
