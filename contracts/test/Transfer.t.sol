// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {EMPTY_AVAILABLE, EMPTY_NOTE, FIELD_ORDER} from "../src/Constants.sol";
import {ILedger} from "../src/interfaces/ILedger.sol";
import {LedgerTest} from "./helpers/LedgerTest.sol";
import {vm} from "./helpers/Vm.sol";

/// transfer
/// ├── authority: wallet, payment key (the whole table: Authority.t.sol)
/// ├── refused signer: stranger, relayer without signature, zero, expired or removed payment key,
/// │   agent for its owner, malformed or high-s signature, signature over other words
/// ├── refused deadline: past, more than 24 h ahead
/// ├── refused recipient: the payer itself, an address without a record
/// └── refused commitments: available balance zero, empty, at or above r; note zero, empty, at or above r, used before
contract TransferTest is LedgerTest {
    function test_ThePaymentKeyPays() public {
        _pay(PAYMENT_KEY, _transferParams(1));
        vm.assertEq(_old(alice), _commitment(1));
        _assertStatus(bob, _commitment(2), ILedger.NoteStatus.Open);
        _assertStatus(alice, _commitment(2), ILedger.NoteStatus.None);
    }

    function test_TheEventCarriesWordsAndCiphertexts() public {
        ILedger.TransferParams memory p = _transferParams(1);
        bytes memory signature = _signTransfer(PAYMENT_KEY, p, EMPTY_AVAILABLE);
        vm.expectEmit();
        emit ILedger.Transferred(
            alice, bob, address(usdg), EMPTY_AVAILABLE, p.newAvailable, p.note, p.recipientCiphertext, p.payerCiphertext
        );
        ledger.transfer(p, proof, signature);
    }

    function test_TheWalletPays() public {
        _pay(ALICE_KEY, _transferParams(1));
    }

    function test_TheWalletPaysAsSender() public {
        vm.prank(alice);
        ledger.transfer(_transferParams(1), proof, "");
    }

    function test_RevertWhen_AStrangerSigns() public {
        bytes memory signature = _signTransfer(STRANGER_KEY, _transferParams(1), EMPTY_AVAILABLE);
        _expectNotAuthorized(alice, stranger);
        ledger.transfer(_transferParams(1), proof, signature);
    }

    function test_RevertWhen_ARelayerHasAProofAndNoSignature() public {
        vm.prank(relayer);
        _expectNotAuthorized(alice, relayer);
        ledger.transfer(_transferParams(1), proof, "");
    }

    function test_RevertWhen_TheZeroPaymentKeySends() public {
        ILedger.TransferParams memory p = _transferParams(1);
        (p.account, p.to) = (bob, alice);
        vm.prank(address(0));
        vm.expectRevert(ILedger.InvalidSignature.selector);
        ledger.transfer(p, proof, "");
    }

    function test_RevertWhen_ThePaymentKeyHasExpired() public {
        vm.warp(UNTIL + 1);
        ILedger.TransferParams memory p = _transferParams(1);
        p.deadline = UNTIL + 1;
        bytes memory signature = _signTransfer(PAYMENT_KEY, p, EMPTY_AVAILABLE);
        _expectNotAuthorized(alice, paymentKey);
        ledger.transfer(p, proof, signature);
    }

    function test_ThePaymentKeyPaysInItsLastSecond() public {
        vm.warp(UNTIL);
        ILedger.TransferParams memory p = _transferParams(1);
        p.deadline = UNTIL;
        _pay(PAYMENT_KEY, p);
    }

    function test_RevertWhen_ThePaymentKeyWasRemoved() public {
        vm.prank(alice);
        ledger.setPaymentKey(alice, address(0), 0, SOON, "");
        bytes memory signature = _signTransfer(PAYMENT_KEY, _transferParams(1), EMPTY_AVAILABLE);
        _expectNotAuthorized(alice, paymentKey);
        ledger.transfer(_transferParams(1), proof, signature);
    }

    function test_RevertWhen_AnAgentPaysForItsOwner() public {
        bytes memory signature = _signTransfer(AGENT_KEY, _transferParams(1), EMPTY_AVAILABLE);
        _expectNotAuthorized(alice, agent);
        ledger.transfer(_transferParams(1), proof, signature);
    }

    function test_RevertWhen_AnAddressWithoutARecordPays() public {
        ILedger.TransferParams memory p = _transferParams(1);
        p.account = stranger;
        bytes memory signature = _signTransfer(STRANGER_KEY, p, EMPTY_AVAILABLE);
        vm.expectRevert(abi.encodeWithSelector(ILedger.NotEnrolled.selector, stranger));
        ledger.transfer(p, proof, signature);
    }

    function test_RevertWhen_TheSignatureIsTruncated() public {
        vm.expectRevert(ILedger.InvalidSignature.selector);
        ledger.transfer(_transferParams(1), proof, hex"01");
    }

    function test_RevertWhen_SIsHigh() public {
        bytes memory signature = _signTransfer(PAYMENT_KEY, _transferParams(1), EMPTY_AVAILABLE);
        uint256 order = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141;
        assembly {
            mstore(add(signature, 0x40), sub(order, mload(add(signature, 0x40))))
        }
        signature[64] = signature[64] == bytes1(uint8(27)) ? bytes1(uint8(28)) : bytes1(uint8(27));
        vm.expectRevert(ILedger.InvalidSignature.selector);
        ledger.transfer(_transferParams(1), proof, signature);
    }

    function test_RevertWhen_TheOldAvailableIsNoLongerCurrent() public {
        bytes memory signature = _signTransfer(PAYMENT_KEY, _transferParams(1), EMPTY_AVAILABLE);
        _pay(PAYMENT_KEY, _transferParams(3));
        vm.expectPartialRevert(ILedger.NotAuthorized.selector);
        ledger.transfer(_transferParams(1), proof, signature);
    }

    function test_RevertWhen_TheDeadlineHasPassed() public {
        bytes memory signature = _signTransfer(PAYMENT_KEY, _transferParams(1), EMPTY_AVAILABLE);
        vm.warp(SOON + 1);
        vm.expectRevert(abi.encodeWithSelector(ILedger.BadDeadline.selector, SOON, SOON + 1));
        ledger.transfer(_transferParams(1), proof, signature);
    }

    function test_RevertWhen_TheDeadlineIsMoreThanADayAhead() public {
        ILedger.TransferParams memory p = _transferParams(1);
        p.deadline = NOW + 24 hours + 1;
        bytes memory signature = _signTransfer(PAYMENT_KEY, p, EMPTY_AVAILABLE);
        vm.expectRevert(abi.encodeWithSelector(ILedger.BadDeadline.selector, p.deadline, NOW));
        ledger.transfer(p, proof, signature);
    }

    function test_RevertWhen_PayingOneself() public {
        ILedger.TransferParams memory p = _transferParams(1);
        p.to = alice;
        _expectRefusal(p, abi.encodeWithSelector(ILedger.PaymentToSelf.selector, alice));
    }

    function test_RevertWhen_TheRecipientIsNotEnrolled() public {
        ILedger.TransferParams memory p = _transferParams(1);
        p.to = stranger;
        _expectRefusal(p, abi.encodeWithSelector(ILedger.NotEnrolled.selector, stranger));
    }

    function test_RevertWhen_TheNewAvailableIsZero() public {
        _refuseAvailable(0);
    }

    function test_RevertWhen_TheNewAvailableIsTheEmptyOne() public {
        _refuseAvailable(EMPTY_AVAILABLE);
    }

    function testFuzz_RevertWhen_TheNewAvailableIsNotBelowTheFieldOrder(uint256 excess) public {
        vm.assume(excess <= type(uint256).max - FIELD_ORDER);
        _refuseAvailable(FIELD_ORDER + excess);
    }

    function test_RevertWhen_TheNoteIsZero() public {
        _refuseNote(0);
    }

    function test_RevertWhen_TheNoteIsTheEmptyOne() public {
        _refuseNote(EMPTY_NOTE);
    }

    function testFuzz_RevertWhen_TheNoteIsNotBelowTheFieldOrder(uint256 excess) public {
        vm.assume(excess <= type(uint256).max - FIELD_ORDER);
        _refuseNote(FIELD_ORDER + excess);
    }

    function test_RevertWhen_TheNoteIsOpenAlready() public {
        _pay(PAYMENT_KEY, _transferParams(1));
        ILedger.TransferParams memory p = _transferParams(3);
        p.note = _commitment(2);
        _expectRefusal(p, abi.encodeWithSelector(ILedger.NoteNotNew.selector, bob, address(usdg), p.note));
    }

    function test_RevertWhen_TheNoteWasSpent() public {
        _pay(PAYMENT_KEY, _transferParams(1));
        ILedger.MakeAvailableParams memory a = _makeAvailableParams(10);
        a.account = bob;
        a.notes[0] = _commitment(2);
        vm.prank(bob);
        ledger.makeAvailable(a, proof, "");
        ILedger.TransferParams memory p = _transferParams(3);
        p.note = _commitment(2);
        _expectRefusal(p, abi.encodeWithSelector(ILedger.NoteNotNew.selector, bob, address(usdg), p.note));
    }

    function _pay(uint256 key, ILedger.TransferParams memory p) private {
        bytes memory signature = _signTransfer(key, p, _old(p.account));
        vm.prank(relayer);
        ledger.transfer(p, proof, signature);
    }

    function _refuseAvailable(uint256 commitment) private {
        ILedger.TransferParams memory p = _transferParams(1);
        p.newAvailable = commitment;
        _expectRefusal(p, abi.encodeWithSelector(ILedger.InvalidAvailableBalance.selector, commitment));
    }

    function _refuseNote(uint256 commitment) private {
        ILedger.TransferParams memory p = _transferParams(1);
        p.note = commitment;
        _expectRefusal(p, abi.encodeWithSelector(ILedger.InvalidNote.selector, commitment));
    }

    /// alice's own payment key signed, and the available balance stays as it was.
    function _expectRefusal(ILedger.TransferParams memory p, bytes memory reason) private {
        uint256 before = _old(alice);
        bytes memory signature = _signTransfer(PAYMENT_KEY, p, before);
        vm.expectRevert(reason);
        ledger.transfer(p, proof, signature);
        vm.assertEq(_old(alice), before);
    }
}
