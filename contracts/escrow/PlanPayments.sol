// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {CharterCalldata} from "../libraries/CharterCalldata.sol";
import {PlanSlot} from "../libraries/PlanSlot.sol";
import {TermsCalldata} from "../libraries/TermsCalldata.sol";
import {PlanStore} from "./PlanStore.sol";

/// @title Payments out of a plan: all transfers of its money
abstract contract PlanPayments is PlanStore {
    using CharterCalldata for Step[];
    using TermsCalldata for Terms;
    using SafeERC20 for IERC20;

    /// @dev Pays the steps in `bits` whole, and the fee on them. With `close`, or in a plan that is closing, it also
    ///      refunds all that no open step needs. The caller has checked that these steps may end so, emitted the
    ///      reason, and marked them in `slot`.
    function _carryOut(
        bytes32 id,
        PlanSlot slot,
        Terms calldata terms,
        Step[] calldata steps,
        Royalty[] calldata royalties,
        uint256 bits,
        bool close
    ) internal {
        // effect
        uint256 amount = steps.sumOf(bits);
        uint256 back = _book(id, slot, terms, steps, amount, _feeOn(slot, steps, bits, amount, terms.getFeeBps()), close);
        address token = terms.getToken();
        uint256[] memory withheld;
        if (royalties.length != 0) withheld = _creditRoyalties(id, token, steps, royalties, bits, BPS);

        // interaction
        _payRuns(id, token, steps, withheld, bits);
        if (back != 0) _giveBack(id, terms, back);
    }

    /// @dev As {_carryOut}, of one step that is split; the caller has not marked it.
    function _split(
        bytes32 id,
        PlanSlot slot,
        Terms calldata terms,
        Step[] calldata steps,
        Royalty[] calldata royalties,
        uint256 step,
        uint256 payeeBps
    ) internal {
        uint256 bit = uint256(1) << step;
        if (payeeBps == BPS) {
            _carryOut(id, slot.withPaid(bit), terms, steps, royalties, bit, slot.closing());
            return;
        }
        // effect; a split bears its own fee, rounded down
        uint256 amount = _share(steps.amountAt(step), payeeBps);
        uint256 fee = _fee(amount, terms.getFeeBps());
        uint256 back = _book(id, slot.withEnded(bit), terms, steps, amount, fee, slot.closing());
        address token = terms.getToken();
        if (royalties.length != 0) amount -= _creditRoyalties(id, token, steps, royalties, bit, payeeBps)[step];

        // interaction
        if (amount != 0) _pay(id, token, steps.payeeAt(step), amount);
        if (back != 0) _giveBack(id, terms, back);
    }

    /// @dev Pays half of each step in `bits`, one after the other, each from the state that the one before it left. With `close`, it
    ///      also refunds all that no open step needs.
    function _splitEach(
        bytes32 id,
        Terms calldata terms,
        Step[] calldata steps,
        Royalty[] calldata royalties,
        uint256 bits,
        bool close
    ) internal {
        for (uint256 step = 0; bits != 0; (++step, bits >>= 1)) {
            if (bits & 1 == 0) continue;
            emit StepSplit(id, uint8(step), uint16(BPS / 2));
            _split(id, _plans[id].slot, terms, steps, royalties, step, BPS / 2);
        }
        if (!close) return;
        PlanSlot slot = _plans[id].slot;
        // The last step of a plan that was closing has closed it.
        if (slot.status() != uint8(PlanStatus.Funded)) return;
        uint256 back = _book(id, slot, terms, steps, 0, 0, true);
        if (back != 0) _giveBack(id, terms, back);
    }

    function _giveBack(bytes32 id, Terms calldata terms, uint256 amount) internal {
        if (_push(id, terms.getToken(), terms.getClient(), amount)) emit Refunded(id, terms.getClient(), amount);
    }

    /// @dev Writes what is left of the plan, and answers what goes back to the client.
    function _book(
        bytes32 id,
        PlanSlot slot,
        Terms calldata terms,
        Step[] calldata steps,
        uint256 amount,
        uint256 fee,
        bool close
    ) private returns (uint256 back) {
        // Checked arithmetic keeps a plan from ever paying more than it holds.
        uint256 held = slot.remaining();
        uint256 rest = held - amount - fee;
        if (fee != 0) {
            (address token, address feeTo) = (terms.getToken(), terms.getFeeTo());
            credit[token][feeTo] += fee;
            emit FeeCredited(id, token, feeTo, fee);
        }
        if (close || slot.closing()) {
            uint256 kept;
            (slot, kept) = _end(id, slot, terms, steps);
            (back, rest) = (rest - kept, kept);
        }
        unchecked {
            _plans[id].slot = slot.less(held - rest);
        }
    }

    /// @dev Ends what is pending, but the steps in review. Those, the disputed ones and their fee are kept; without any the
    ///      plan is closed.
    function _end(bytes32 id, PlanSlot slot, Terms calldata terms, Step[] calldata steps)
        private
        returns (PlanSlot ended, uint256 kept)
    {
        uint256 inReview = _inReview(id, slot, terms, steps.length);
        uint256 open = inReview | slot.disputedBits();
        ended = slot.withPendingEnded(inReview);
        if (open == 0) {
            ended = ended.withStatus(uint8(PlanStatus.Closed)).withClosing(false);
            emit PlanClosed(id);
        } else {
            uint256 amount = steps.sumOf(open);
            uint256 fee = _feeOn(slot, steps, open, amount, terms.getFeeBps());
            kept = amount + fee;
            ended = ended.withClosing(true);
            emit PlanClosing(id, uint64(open));
        }
    }

    /// @dev The pending steps that were submitted, and that no closing may end. If silence pays, they are owed.
    ///      Otherwise they can be disputed until `reviewBy`.
    function _inReview(bytes32 id, PlanSlot slot, Terms calldata terms, uint256 count) private view returns (uint256) {
        uint256 pending = slot.pendingAmong(count);
        if (pending == 0) return 0;
        if (!_silencePays(terms) && block.timestamp >= terms.getReviewBy()) return 0;
        return pending & _marks[id].submitted;
    }

    /// @dev The fee on `paid`, which is for `bits`, all paid whole: what the fee on all such steps so far grows by.
    function _feeOn(PlanSlot slot, Step[] calldata steps, uint256 bits, uint256 paid, uint256 feeBps)
        private
        pure
        returns (uint256)
    {
        if (feeBps == 0) return 0;
        unchecked {
            uint256 earlier = steps.sumOf(slot.paidBits() & ~bits);
            return _fee(earlier + paid, feeBps) - _fee(earlier, feeBps);
        }
    }

    /// @dev Credits the royalties on `bits`. Answers what to keep back of each step's pay; nothing where there are none.
    function _creditRoyalties(
        bytes32 id,
        address token,
        Step[] calldata steps,
        Royalty[] calldata royalties,
        uint256 bits,
        uint256 payeeBps
    ) private returns (uint256[] memory withheld) {
        withheld = new uint256[](steps.length);
        for (uint256 i = 0; i < royalties.length; ++i) {
            Royalty calldata royalty = royalties[i];
            uint8 step = royalty.step;
            if ((bits >> step) & 1 == 0) continue;
            uint256 amount = _share(_share(steps[step].amount, payeeBps), royalty.bps);
            if (amount == 0) continue;
            withheld[step] += amount;
            credit[token][royalty.to] += amount;
            emit RoyaltyCredited(id, token, royalty.to, step, amount);
        }
    }

    /// @dev One transfer per run of chosen steps with the same payee.
    function _payRuns(
        bytes32 id,
        address token,
        Step[] calldata steps,
        uint256[] memory withheld,
        uint256 bits
    ) private {
        unchecked {
            address payee;
            uint256 sum;
            uint256 left = bits;
            for (uint256 i = 0; left != 0; (++i, left >>= 1)) {
                if (left & 1 == 0) continue;
                address next = steps.payeeAt(i);
                if (next != payee) {
                    if (sum != 0) _pay(id, token, payee, sum);
                    (payee, sum) = (next, 0);
                }
                sum += steps.amountAt(i);
                // Royalties are at most half of what the step pays.
                if (withheld.length != 0) sum -= withheld[i];
            }
            if (sum != 0) _pay(id, token, payee, sum);
        }
    }

    function _pay(bytes32 id, address token, address payee, uint256 amount) private {
        if (_push(id, token, payee, amount)) emit Paid(id, payee, amount);
    }

    /// @dev Sends, or credits when the token reverts or answers false. Copies at most one word of the answer.
    function _push(bytes32 id, address token, address to, uint256 amount) private returns (bool sent) {
        sent = IERC20(token).trySafeTransfer(to, amount);
        if (!sent) {
            credit[token][to] += amount;
            emit Credited(id, token, to, amount);
        }
    }

    function _share(uint256 amount, uint256 bps) private pure returns (uint256) {
        unchecked {
            return amount * bps / BPS;
        }
    }
}
