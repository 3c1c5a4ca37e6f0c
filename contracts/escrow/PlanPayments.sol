// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {CharterWords} from "../libraries/CharterWords.sol";
import {PlanSlot} from "../libraries/PlanSlot.sol";
import {TermsWords} from "../libraries/TermsWords.sol";
import {PlanStore} from "./PlanStore.sol";

/// @title The one way in which money leaves a plan
abstract contract PlanPayments is PlanStore {
    using CharterWords for Step[];
    using TermsWords for Terms;
    using SafeERC20 for IERC20;

    /// @dev Pays `payeeBps` of each step in `bits` and the fee on it; with `close`, or in a plan that is closing, also
    ///      gives back what no disputed step needs. The caller has checked that these steps may end so, told why, and marked
    ///      them in `slot`. More than one at once are paid whole.
    function _carryOut(
        bytes32 id,
        PlanSlot slot,
        Terms calldata terms,
        Step[] calldata steps,
        Royalty[] calldata royalties,
        uint256 bits,
        uint256 payeeBps,
        bool close
    ) internal {
        address token = terms.getToken();
        uint256 back;
        {
            uint256 fee;
            uint256 spent = _share(steps.sumOf(bits), payeeBps);
            uint256 feeBps = terms.getFeeBps();
            if (feeBps != 0) {
                fee = _feeOn(slot, steps, bits, spent, payeeBps, feeBps);
                spent += fee;
            }

            // effect; checked arithmetic keeps a plan from ever paying more than it holds
            uint256 held = slot.remaining();
            uint256 rest = held - spent;
            if (fee != 0) {
                address feeTo = terms.getFeeTo();
                credit[token][feeTo] += fee;
                emit FeeCredited(id, token, feeTo, fee);
            }
            if (close || slot.closing()) {
                uint256 kept;
                (slot, kept) = _end(id, slot, steps, feeBps);
                (back, rest) = (rest - kept, kept);
            }
            unchecked {
                _plans[id].slot = slot.less(held - rest);
            }
        }
        uint256[] memory withheld;
        if (royalties.length != 0) withheld = _creditRoyalties(id, token, steps, royalties, bits, payeeBps);

        // interaction
        _payRuns(id, token, steps, withheld, bits, payeeBps);
        if (back != 0) _giveBack(id, terms, back);
    }

    function _giveBack(bytes32 id, Terms calldata terms, uint256 amount) internal {
        if (_push(id, terms.getToken(), terms.getClient(), amount)) emit Refunded(id, terms.getClient(), amount);
    }

    /// @dev Ends all that is pending. What disputed steps and their fee need is kept; without any the plan is closed.
    function _end(bytes32 id, PlanSlot slot, Step[] calldata steps, uint256 feeBps)
        private
        returns (PlanSlot ended, uint256 kept)
    {
        ended = slot.withPendingEnded();
        uint256 disputed = slot.disputedBits();
        if (disputed == 0) {
            ended = ended.withStatus(uint8(PlanStatus.Closed)).withClosing(false);
            emit PlanClosed(id);
        } else {
            uint256 amount = steps.sumOf(disputed);
            uint256 fee = _feeOn(slot, steps, disputed, amount, BPS, feeBps);
            kept = amount + fee;
            ended = ended.withClosing(true);
            emit PlanClosing(id, uint64(disputed));
        }
    }

    /// @dev The fee on `paid`, which is for `bits`. For steps paid whole that is what the fee on all of them so far grows by;
    ///      a split bears its own, rounded down.
    function _feeOn(PlanSlot slot, Step[] calldata steps, uint256 bits, uint256 paid, uint256 payeeBps, uint256 feeBps)
        private
        pure
        returns (uint256)
    {
        unchecked {
            uint256 earlier = payeeBps == BPS ? steps.sumOf(slot.paidBits() & ~bits) : 0;
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
        uint256 bits,
        uint256 payeeBps
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
                sum += _share(steps.amountAt(i), payeeBps);
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
